import type { FastifyPluginAsync } from 'fastify';
import type { RejectedGroup } from '@proveklar/services/events/rejected-events.ts';
import { BOARD_PREFIX } from '#board.ts';
import { duration, type Level } from './finding.ts';
import { html, Html } from './html.ts';
import { LEARNER_PARTS, type Part } from './parts.ts';
import type { ProcessRow, QueueRow, Status } from './status.ts';
import { STYLE } from './style.ts';

const REFRESH_S = 10;

/**
 * The status page `/`, which refreshes every ten seconds unless paused (`/?paused`), and `/status.json`
 * with the same facts. The worker reads the status all the time, so the page knows since when a problem exists.
 */
export const statusRoutes =
  (readStatus: () => Promise<Status>): FastifyPluginAsync =>
  async (app) => {
    app.get<{ Querystring: { paused?: string } }>('/', async ({ query }, reply) => {
      const isRefreshPaused = query.paused !== undefined;
      if (!isRefreshPaused) reply.header('refresh', REFRESH_S);
      const status = await readStatus();
      return reply.type('text/html; charset=utf-8').send(renderStatus(status, { isRefreshPaused }));
    });
    app.get('/status.json', async () => readStatus());
  };

/** The status as one HTML page without scripts or other files. */
export function renderStatus(
  status: Status,
  { isRefreshPaused }: { isRefreshPaused: boolean },
): string {
  const { level, verdict, at, parts, processes } = status;
  const isLearnerPart = ({ id }: Part) => LEARNER_PARTS.some((learner) => learner === id);
  const learners = parts.filter(isLearnerPart);
  const otherParts = parts.filter((part) => !isLearnerPart(part));
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${iconText(level)} Prøveklar: ${verdict}</title>
        <link rel="icon" href="data:," />
        <style>
          ${new Html(STYLE)}
        </style>
      </head>
      <body>
        <header class="verdict ${level}">
          ${levelIcon(level)}
          <div>
            <h1>${verdict}.</h1>
            <p>
              Checked at <time datetime="${at}">${clock(at)}</time> ·
              ${
                isRefreshPaused
                  ? html`refresh paused · <a href="/">refresh every 10 s</a>`
                  : html`refreshes every 10 s · <a href="/?paused">pause refresh</a>`
              }
            </p>
          </div>
        </header>
        <main>
          <section aria-labelledby="learners">
            <h2 id="learners">Learners</h2>
            <div class="parts three">${learners.map((part) => renderPart(part, at))}</div>
          </section>
          <section aria-labelledby="operation">
            <h2 id="operation">Operation</h2>
            <div class="parts">${otherParts.map((part) => renderPart(part, at))}</div>
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
          For machines: <a href="/status.json">status.json</a>,
          <a href="/metrics">metrics</a>
        </footer>
      </body>
    </html>`.text;
}

function renderPart({ name, level, figure, findings, since, page }: Part, at: string): Html {
  return html`<article class="part ${level}">
    <h3>${levelIcon(level)} ${name}</h3>
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
  if (processes.length === 0) return html`<p class="empty">Not available.</p>`;
  return html`<table>
    <thead>
      <tr>
        <th scope="col">Process, host</th>
        <th scope="col">Version</th>
        <th scope="col" class="number">Up for</th>
        <th scope="col" class="number wide">Memory</th>
        <th scope="col" class="number">Last seen</th>
      </tr>
    </thead>
    <tbody>
      ${processes.map(
        (process) =>
          html`<tr>
            <th scope="row">
              ${levelIcon(process.isLive ? 'ok' : 'warning')} ${process.kind}
              <small>${process.host}</small>
            </th>
            <td>${process.version}</td>
            <td class="number">${ago(process.startedAt, at)}</td>
            <td class="number wide">${Math.round(process.memoryBytes / 1e6)} MB</td>
            <td class="number">${duration(process.seenSecondsAgo)}</td>
          </tr>`,
      )}
    </tbody>
  </table>`;
}

/** "15:04:05 UTC": the reader may be in another time zone than the host. */
const clock = (iso: string) => `${iso.slice(11, 19)} UTC`;

const ago = (iso: string, at: string) => duration((Date.parse(at) - Date.parse(iso)) / 1000);

/** The table of all queues. */
function renderQueues({ queues }: Status): Html {
  if (queues.length === 0)
    return html`<p class="empty">Queues open when PostgreSQL is reachable.</p>`;
  return html`<table>
    <thead>
      <tr>
        <th scope="col">Queue</th>
        <th scope="col" class="number">Depth</th>
        <th scope="col" class="number">Oldest</th>
        <th scope="col" class="number">Failed</th>
        <th scope="col" class="number wide">Rejected</th>
        <th scope="col" class="number">Canary</th>
      </tr>
    </thead>
    <tbody>
      ${queues.map(renderQueue)}
    </tbody>
  </table>`;
}

function renderQueue(row: QueueRow): Html {
  const { name, level, counts, oldestSeconds, canaryAgeSeconds, rejected } = row;
  const depth = counts && counts.waiting + counts.active + counts.delayed;
  return html`<tr>
    <th scope="row">
      ${levelIcon(level)} <a href="${BOARD_PREFIX}/queue/${name}">${name}</a>
      ${counts?.isPaused ? html`<strong class="tag">paused</strong>` : null}
    </th>
    <td class="number">${depth ?? '–'}</td>
    <td class="number">${oldestSeconds === null ? '–' : age(oldestSeconds)}</td>
    <td class="number">${counts?.failed ?? '–'}</td>
    <td class="number wide">${rejected ?? '–'}</td>
    <td class="number">${canaryAgeSeconds === null ? '–' : duration(canaryAgeSeconds)}</td>
  </tr>`;
}

/** Rejected events, with what to do about them; nothing when there are none. */
function renderRejections({ rejections }: Status): Html | null {
  const [first] = rejections;
  if (!first) return null;
  return html`<section aria-labelledby="rejections">
    <h2 id="rejections">Rejected events</h2>
    <table>
      <thead>
        <tr>
          <th scope="col">Event, queue</th>
          <th scope="col" class="number">Events</th>
          <th scope="col" class="number">Since</th>
          <th scope="col">Reason</th>
          <th scope="col">Numbers</th>
        </tr>
      </thead>
      <tbody>
        ${rejections.map(renderRejection)}
      </tbody>
    </table>
    <p class="more">
      Fix the cause, then <code>npm run events -- retry ${first.ids[0]}</code> (in containers
      <code
        >docker compose run --rm worker node workers/events-command.ts retry ${first.ids[0]}</code
      >); <code>list</code> shows all of them, <code>dismiss</code> closes what is not needed:
      docs/operations/rejected-events.md
    </p>
  </section>`;
}

function renderRejection(group: RejectedGroup): Html {
  const { name, queue, count, oldestSeconds, reason, sqlstate, ids } = group;
  return html`<tr>
    <th scope="row">${levelIcon('warning')} ${name} <small>${queue}</small></th>
    <td class="number">${count}</td>
    <td class="number">${duration(oldestSeconds)}</td>
    <td class="text">${reason} ${sqlstate ? html`<small>SQLSTATE ${sqlstate}</small>` : null}</td>
    <td>${ids.join(', ')}${count > ids.length ? ', …' : ''}</td>
  </tr>`;
}

const age = (seconds: number) => (seconds === 0 ? '0' : duration(seconds));

const ICONS: Record<Level, { icon: string; label: string }> = {
  ok: { icon: '✓', label: 'OK' },
  warning: { icon: '!', label: 'Warning' },
  fault: { icon: '✗', label: 'Failing' },
};

/** The icon as plain text, for the title of the page. */
const iconText = (level: Level): string => ICONS[level].icon;

/** The icon of a level; screen readers read its label. */
function levelIcon(level: Level): Html {
  const { icon, label } = ICONS[level];
  return html`<span class="icon ${level}" role="img" aria-label="${label}">${icon}</span>`;
}
