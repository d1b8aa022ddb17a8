/** Icons of what is refused here: adding, changing and removing jobs, and limits of a queue. */
const REFUSED = [
  'plus',
  'files',
  'pencil',
  'trash-2',
  'ban',
  'gauge',
  'chart-no-axes-gantt',
  'circle-arrow-up',
];
const icons = REFUSED.map((name) => `.lucide-${name}`).join(', ');
const STYLE = `<style>
[role='menuitem']:has(${icons}),
:is([class*='queueActions'], [class*='jobActions']) li:not(:has(.lucide-refresh-cw)) { display: none; }
</style>`;

/**
 * The board's page without the buttons that would be refused, which it has no setting for, and without
 * the font that it would fetch from another house. It is refused all the same where this hides nothing.
 */
export function fitPage(html: string): string {
  return html
    .replace(/<link href="https:\/\/fonts\.googleapis\.com[^>]*>/, '')
    .replace('</head>', `${STYLE}</head>`);
}
