// @vitest-environment jsdom
import { act } from 'react';
import { createRoot } from 'react-dom/client';
import { expect, onTestFinished, test, vi } from 'vitest';
import { TypedFilter } from './filters.tsx';

test('a typed filter is applied once the typing has stopped, however often its page renders', () => {
  vi.useFakeTimers();
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  const page = document.createElement('div');
  const root = createRoot(page);
  onTestFinished(() => {
    act(() => root.unmount());
    vi.useRealTimers();
  });
  const wanted: string[] = [];
  const render = () =>
    act(() =>
      root.render(<TypedFilter label="Navn" value="" onChange={(text) => wanted.push(text)} />),
    );
  const pass = (ms: number) =>
    act(() => {
      vi.advanceTimersByTime(ms);
    });

  render();
  const field = page.querySelector('input')!;
  act(() => {
    // React replaces the setter of the element, and would take the value for its own.
    Reflect.set(HTMLInputElement.prototype, 'value', 'Kari', field);
    field.dispatchEvent(new Event('input', { bubbles: true }));
  });
  pass(200);
  render();
  pass(200);
  expect(wanted).toEqual(['Kari']);
});
