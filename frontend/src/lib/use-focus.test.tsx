// @vitest-environment jsdom
import { act, type ReactNode, type Ref, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { expect, onTestFinished, test, vi } from 'vitest';
import { useShowMore } from './use-focus.ts';

type Shape = (items: readonly string[], list: Ref<never>) => ReactNode;

/** A page of two items and a button that adds two more and disappears. */
function Page({ shape }: { shape: Shape }) {
  const [items, setItems] = useState(['1', '2']);
  const { list, showMore } = useShowMore<never>(async () => {
    setItems(['1', '2', '3', '4']);
    return { isError: false };
  });
  return (
    <>
      {shape(items, list)}
      {items.length === 2 && (
        <button type="button" onClick={showMore}>
          Vis flere
        </button>
      )}
    </>
  );
}

async function focusedAfterShowMore(shape: Shape): Promise<Element | null> {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  const page = document.body.appendChild(document.createElement('div'));
  const root = createRoot(page);
  onTestFinished(() => {
    act(() => root.unmount());
    page.remove();
  });
  act(() => root.render(<Page shape={shape} />));
  await act(async () => page.querySelector('button')!.click());
  return document.activeElement;
}

test('"Show more" focuses the link of the first new item', async () => {
  const focused = await focusedAfterShowMore((items, list) => (
    <ul ref={list}>
      {items.map((item) => (
        <li key={item}>
          <a href={`/${item}`}>{item}</a>
        </li>
      ))}
    </ul>
  ));
  expect(focused?.outerHTML).toBe('<a href="/3">3</a>');
});

test('"Show more" focuses the first new item itself where items have no link', async () => {
  const focused = await focusedAfterShowMore((items, list) => (
    <ol ref={list}>
      {items.map((item) => (
        <li key={item}>
          {item}
          <ul>
            <li>detail</li>
          </ul>
        </li>
      ))}
    </ol>
  ));
  expect(focused?.firstChild?.textContent).toBe('3');
});

test('"Show more" focuses the first new row of a table', async () => {
  const focused = await focusedAfterShowMore((items, list) => (
    <div ref={list}>
      <table>
        <tbody>
          {items.map((item) => (
            <tr key={item} data-row={item}>
              <td>{item}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  ));
  expect(focused?.getAttribute('data-row')).toBe('3');
});
