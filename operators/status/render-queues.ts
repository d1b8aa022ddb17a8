import { duration } from '@proveklar/services/operations/duration.ts';
import type { QueueRow, Status } from '@proveklar/services/operations/status.ts';
import { BOARD_PREFIX } from '#board/prefix.ts';
import { html, type Html } from './html.ts';
import { markOf } from './mark.ts';

/** The table of all queues. */
export function renderQueues({ queues }: Status): Html {
  if (queues.length === 0) return html`<p class="empty">They open when PostgreSQL is there.</p>`;
  return html`<table>
    <thead>
      <tr>
        <th scope="col">Queue</th>
        <th scope="col" class="number">Depth</th>
        <th scope="col" class="number">Oldest</th>
        <th scope="col" class="number">Failed</th>
        <th scope="col" class="number">Canary</th>
      </tr>
    </thead>
    <tbody>
      ${queues.map(renderQueue)}
    </tbody>
  </table>`;
}

function renderQueue({ name, level, counts, oldestSeconds, canaryAgeSeconds }: QueueRow): Html {
  const depth = counts && counts.waiting + counts.active + counts.delayed;
  return html`<tr>
    <th scope="row">
      ${markOf(level)} <a href="${BOARD_PREFIX}/queue/${name}">${name}</a>
      ${counts?.isPaused ? html`<strong class="tag">paused</strong>` : null}
    </th>
    <td class="number">${depth ?? '–'}</td>
    <td class="number">${oldestSeconds === null ? '–' : age(oldestSeconds)}</td>
    <td class="number">${counts?.failed ?? '–'}</td>
    <td class="number">${canaryAgeSeconds === null ? '–' : duration(canaryAgeSeconds)}</td>
  </tr>`;
}

const age = (seconds: number) => (seconds === 0 ? '0' : duration(seconds));
