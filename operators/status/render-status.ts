import { duration } from '@proveklar/services/operations/duration.ts';
import {
  LEARNER_PARTS,
  type Part,
  type ProcessRow,
  type Status,
} from '@proveklar/services/operations/status.ts';
import { BOARD_PREFIX } from '#board/prefix.ts';
import { html, Html } from './html.ts';
import { markOf, signOf } from './mark.ts';
import { renderQueues, renderRejections } from './render-queues.ts';
import { STYLE } from './style.ts';

/** The status as a page that needs nothing but itself. */
export function renderStatus(status: Status, { isStill }: { isStill: boolean }): string {
  const { level, verdict, at, parts, processes } = status;
  const isOfLearners = ({ id }: Part) => LEARNER_PARTS.some((learner) => learner === id);
  const learners = parts.filter(isOfLearners);
  const others = parts.filter((part) => !isOfLearners(part));
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${signOf(level)} Prøveklar: ${verdict}</title>
        <link rel="icon" href="data:," />
        <style>
          ${new Html(STYLE)}
        </style>
      </head>
      <body>
        <header class="verdict ${level}">
          ${markOf(level)}
          <div>
            <h1>${verdict}.</h1>
            <p>
              Looked at <time datetime="${at}">${clock(at)}</time> ·
              ${
                isStill
                  ? html`<a href="/">go on every 10 s</a>`
                  : html`again in 10 s · <a href="/?still">stand still</a>`
              }
            </p>
          </div>
        </header>
        <main>
          <section aria-labelledby="learners">
            <h2 id="learners">Learners</h2>
            <div class="parts three">${learners.map((part) => renderPart(part, at))}</div>
          </section>
          <section aria-labelledby="behind">
            <h2 id="behind">Behind them</h2>
            <div class="parts">${others.map((part) => renderPart(part, at))}</div>
          </section>
          ${renderRejections(status)}
          <div class="tables">
            <section aria-labelledby="queues">
              <h2 id="queues">Queues, on ${status.backend === 'redis' ? 'Redis' : 'PostgreSQL'}</h2>
              ${renderQueues(status)}
              <p class="more">
                <a href="${BOARD_PREFIX}/">Open the board</a>: pause, resume, retry
              </p>
            </section>
            <section aria-labelledby="processes">
              <h2 id="processes">Gateways and workers</h2>
              ${renderProcesses(processes, at)}
            </section>
          </div>
        </main>
        <footer>
          The same for machines: <a href="/status.json">status.json</a>,
          <a href="/metrics">metrics</a>
        </footer>
      </body>
    </html>`.text;
}

function renderPart({ name, level, figure, findings, since, page }: Part, at: string): Html {
  return html`<article class="part ${level}">
    <h3>${markOf(level)} ${name}</h3>
    <p class="figure"><b>${figure.value ?? '–'}</b> ${figure.of}</p>
    <ul>
      ${findings.map(
        ({ found, advice }) =>
          html`<li>
            ${found}${level !== 'ok' && advice ? html`<small>${advice}</small>` : null}
          </li>`,
      )}
    </ul>
    <p class="foot">
      ${since ? html`<span>since ${clock(since)} (${ago(since, at)})</span>` : null}
      <code>${new Html(page.replace('#', '<wbr>#'))}</code>
    </p>
  </article>`;
}

function renderProcesses(processes: readonly ProcessRow[], at: string): Html {
  if (processes.length === 0) return html`<p class="empty">Cannot be read now.</p>`;
  return html`<table>
    <thead>
      <tr>
        <th scope="col">What, where</th>
        <th scope="col">Version</th>
        <th scope="col" class="number">Up for</th>
        <th scope="col" class="number wide">Memory</th>
        <th scope="col" class="number">Last heard</th>
      </tr>
    </thead>
    <tbody>
      ${processes.map(
        (it) =>
          html`<tr>
            <th scope="row">
              ${markOf(it.isLive ? 'ok' : 'warning')} ${it.kind} <small>${it.host}</small>
            </th>
            <td>${it.version}</td>
            <td class="number">${ago(it.startedAt, at)}</td>
            <td class="number wide">${Math.round(it.memoryBytes / 1e6)} MB</td>
            <td class="number">${duration(it.seenSecondsAgo)}</td>
          </tr>`,
      )}
    </tbody>
  </table>`;
}

/** "15:04:05 UTC": who looks may be elsewhere than the machine. */
const clock = (iso: string) => `${iso.slice(11, 19)} UTC`;

const ago = (iso: string, at: string) => duration((Date.parse(at) - Date.parse(iso)) / 1000);
