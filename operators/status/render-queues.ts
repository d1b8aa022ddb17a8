import type { RejectedGroup } from '@proveklar/services/events/rejected-events.ts';
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
        <th scope="col" class="number wide">Set aside</th>
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
      ${markOf(level)} <a href="${BOARD_PREFIX}/queue/${name}">${name}</a>
      ${counts?.isPaused ? html`<strong class="tag">paused</strong>` : null}
    </th>
    <td class="number">${depth ?? '–'}</td>
    <td class="number">${oldestSeconds === null ? '–' : age(oldestSeconds)}</td>
    <td class="number">${counts?.failed ?? '–'}</td>
    <td class="number wide">${rejected ?? '–'}</td>
    <td class="number">${canaryAgeSeconds === null ? '–' : duration(canaryAgeSeconds)}</td>
  </tr>`;
}

/** Events that were set aside, with what to do about them; nothing when there are none. */
export function renderRejections({ rejections }: Status): Html | null {
  const [first] = rejections;
  if (!first) return null;
  return html`<section aria-labelledby="rejections">
    <h2 id="rejections">Events that were set aside</h2>
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
      Remove the cause, then <code>npm run events -- retry ${first.ids[0]}</code> (in containers
      <code
        >docker compose run --rm worker node workers/events-command.ts retry ${first.ids[0]}</code
      >); <code>list</code> shows all of them, <code>dismiss</code> closes what is not needed:
      docs/operations/events.md
    </p>
  </section>`;
}

function renderRejection(group: RejectedGroup): Html {
  const { name, queue, count, oldestSeconds, reason, sqlstate, ids } = group;
  return html`<tr>
    <th scope="row">${markOf('warning')} ${name} <small>${queue}</small></th>
    <td class="number">${count}</td>
    <td class="number">${duration(oldestSeconds)}</td>
    <td class="text">${reason} ${sqlstate ? html`<small>SQLSTATE ${sqlstate}</small>` : null}</td>
    <td>${ids.join(', ')}${count > ids.length ? ', …' : ''}</td>
  </tr>`;
}

const age = (seconds: number) => (seconds === 0 ? '0' : duration(seconds));
