import { LOOPBACK, type StackSettings } from '#settings.ts';

/** What a newcomer needs to know once everything runs. */
export function banner(settings: StackSettings, seconds: string): string {
  const { environment, starts } = settings;
  const lines: [string, string][] = [['Open', environment.PUBLIC_URL]];
  if (starts.identity) {
    lines.push(
      ['Admin', `${environment.ADMIN_EMAIL} (sign in with Google)`],
      ['Learner', 'learner@example.no, password proveklar-demo'],
    );
  }
  if (starts.stripe) {
    lines.push(
      ['Test card', '4242 4242 4242 4242, any future date, any CVC'],
      ['Declined', '4000 0000 0000 0002'],
    );
  }
  if (starts.mailbox) {
    lines.push(['Mailbox', `http://${LOOPBACK}:${settings.MAILBOX_PORT} (every mail ends here)`]);
  }
  lines.push(['Operators', `http://${LOOPBACK}:${settings.OPERATORS_PORT}`]);
  lines.push(['Data', '.local/ (kept; start over with: npm run reset)'], ['Stop', 'Ctrl-C']);
  const rows = lines.map(([name, value]) => `  ${name.padEnd(10)} ${value}`);
  return `\nPrøveklar is ready after ${seconds} s.\n\n${rows.join('\n')}\n`;
}
