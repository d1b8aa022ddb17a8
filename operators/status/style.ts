/** Inline, so that the page loads no other file. */
export const STYLE = `
:root {
  color-scheme: light dark;
  --ground: light-dark(#f4f5f7, #11151a);
  --sheet: light-dark(#fff, #1a2027);
  --line: light-dark(#dfe3e8, #2c353f);
  --text: light-dark(#1b232d, #e7ebf0);
  --soft: light-dark(#56616d, #a3aebb);
  --link: light-dark(#0b5cad, #7fb8f5);
  --ok: light-dark(#17693f, #5cc492);
  --ok-tint: light-dark(#e4f3ea, #14281f);
  --warning: light-dark(#7d5200, #e8b95c);
  --warning-tint: light-dark(#fbf0d9, #2e2512);
  --fault: light-dark(#a61b1b, #ff9185);
  --fault-tint: light-dark(#fbe5e3, #351a18);
}
* { box-sizing: border-box; }
body {
  margin: 0 auto; padding: 1rem; max-width: 76rem;
  background: var(--ground); color: var(--text);
  font: 1rem/1.45 system-ui, sans-serif; overflow-wrap: anywhere;
}
h1, h2, h3, p, ul { margin: 0; }
a { color: var(--link); }
small { color: var(--soft); font-size: 0.875rem; }
.ok { --tone: var(--ok); --tint: var(--ok-tint); }
.warning { --tone: var(--warning); --tint: var(--warning-tint); }
.fault { --tone: var(--fault); --tint: var(--fault-tint); }
.icon {
  display: inline-grid; place-items: center; flex: none; inline-size: 1.5em; block-size: 1.5em;
  border-radius: 50%; background: var(--tint); color: var(--tone);
  font-weight: 700; font-size: 0.8em; line-height: 1;
}
.verdict {
  display: flex; gap: 1rem; align-items: center; padding: 1.25rem; border-radius: 0.75rem;
  background: var(--tint); border-inline-start: 0.4rem solid var(--tone);
}
.verdict > .icon { background: var(--tone); color: var(--ground); font-size: 1.5rem; }
.verdict h1 { font-size: clamp(1.25rem, 2.5vw, 1.75rem); line-height: 1.25; text-wrap: balance; }
.verdict p { margin-block-start: 0.25rem; color: var(--text); font-size: 0.875rem; }
h2 { margin-block: 1.5rem 0.5rem; font-size: 1rem; color: var(--soft); font-weight: 600; }
.parts { display: grid; gap: 0.75rem; grid-template-columns: repeat(auto-fill, minmax(min(100%, 15.5rem), 1fr)); }
.three { grid-template-columns: repeat(auto-fit, minmax(min(100%, 18rem), 1fr)); }
.part, table, .empty { background: var(--sheet); border: 1px solid var(--line); border-radius: 0.75rem; }
.part { display: flex; flex-direction: column; gap: 0.35rem; padding: 0.9rem 1rem; }
.part:not(.ok) { border-color: var(--tone); }
.part h3 { display: flex; gap: 0.5rem; align-items: center; font-size: 1rem; }
.figure { color: var(--soft); font-size: 0.875rem; }
.figure b { color: var(--text); font-size: 1.75rem; font-weight: 600; line-height: 1.1; font-variant-numeric: tabular-nums; }
.part ul { padding: 0; list-style: none; display: grid; gap: 0.35rem; font-size: 0.925rem; }
.part:not(.ok) li { color: var(--tone); }
.part small { display: block; }
.foot { display: grid; gap: 0.1rem; margin-block-start: auto; padding-block-start: 0.35rem; color: var(--soft); font-size: 0.8125rem; }
.foot code { font-size: 0.75rem; }
.tables { display: grid; gap: 0 1.5rem; grid-template-columns: repeat(auto-fit, minmax(min(100%, 30rem), 1fr)); align-items: start; }
table { inline-size: 100%; border-spacing: 0; font-size: 0.875rem; overflow: hidden; }
th, td { padding: 0.4rem 0.6rem; text-align: start; font-weight: 400; overflow-wrap: normal; }
tbody :is(th, .text) { overflow-wrap: anywhere; }
thead th { color: var(--soft); font-size: 0.8125rem; }
tbody :is(th, td) { border-block-start: 1px solid var(--line); }
.number { text-align: end; font-variant-numeric: tabular-nums; white-space: nowrap; }
.tag { color: var(--warning); font-weight: 600; }
.more, .empty, footer { padding: 0.5rem 0; color: var(--soft); font-size: 0.875rem; }
.empty { padding: 0.9rem 1rem; }
footer { margin-block-start: 1rem; }
@media (max-width: 30rem) {
  body { padding: 0.6rem; }
  .verdict { padding: 1rem; }
  th, td { padding: 0.4rem 0.35rem; }
  .wide { display: none; }
}
`;
