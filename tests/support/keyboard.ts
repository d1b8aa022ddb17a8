import type { CDPSession, Page } from 'playwright-core';
import { vi } from 'vitest';
import { WAIT } from './hang.ts';

/** Reports what the live regions of a page say, as they change. */
const LISTEN = `(() => {
  const LIVE = '[role=status], [role=alert], [role=log], [aria-live=polite], [aria-live=assertive]';
  const said = new WeakMap();
  const textOf = (region) => region.innerText.replace(/\\s+/g, ' ').trim();
  new MutationObserver((changes) => {
    const regions = new Map();
    for (const { target, addedNodes } of changes) {
      const around = (target instanceof Element ? target : target.parentElement)?.closest(LIVE);
      if (around) regions.set(around, false);
      for (const node of addedNodes) {
        if (!(node instanceof Element)) continue;
        for (const region of [node, ...node.querySelectorAll('*')]) {
          if (region.matches(LIVE) && !said.has(region)) regions.set(region, true);
        }
      }
    }
    for (const [region, isNew] of regions) {
      const text = textOf(region);
      if (said.get(region) === text) continue;
      said.set(region, text);
      // Not every screen reader speaks a region that is inserted with its text, unless it is an alert.
      const role = region.getAttribute('role') ?? 'live';
      if (text !== '') window.tellSaid(role, text, isNew && role !== 'alert');
    }
  }).observe(document, { childList: true, characterData: true, subtree: true });
})()`;

/** What is wrong with where the focus is. A focused heading need not be visible: it is read aloud. */
const FOCUS_FAULT = `(() => {
  let element = document.activeElement;
  while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
  if (!element || element === document.body) return 'the focus is lost';
  if (element.getAttribute('tabindex') === '-1' && !element.matches('a, button, input')) return null;
  const isRinged = (one) => {
    const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(one);
    return (outlineStyle !== 'none' && parseFloat(outlineWidth) > 0) || boxShadow !== 'none';
  };
  // The ring of a checkbox is around its field, and that of a card's field around the whole group.
  const host = element.getRootNode().host;
  const field = host?.closest('[role=group]') ?? element.closest('ds-field, label');
  if (!isRinged(element) && !(field && isRinged(field))) return 'the focus is not visible';
  const { left, right, top, bottom } = element.getBoundingClientRect();
  const isInSight = top < innerHeight && bottom > 0;
  if (bottom - top > innerHeight / 2) return isInSight ? null : 'the focus is not in sight';
  if (bottom > innerHeight + 1 || top < -1) return 'the focus is not in sight';
  const at = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
  const isOwn = at && (at.contains(element) || element.contains(at) || at.shadowRoot);
  return isOwn ? null : 'the focus is covered by ' + at?.outerHTML.slice(0, 80);
})()`;

const SETTLED = 'new Promise((done) => requestAnimationFrame(() => setTimeout(done)))';

/** Roles that a screen reader announces on entering them. */
const CONTAINERS = new Set([
  'dialog',
  'group',
  'radiogroup',
  'region',
  'navigation',
  'tablist',
  'form',
]);
const STATES = ['checked', 'pressed', 'expanded', 'selected', 'invalid', 'disabled', 'required'];

interface AxValue {
  value?: string | number | boolean;
}

interface AxNode {
  nodeId: string;
  parentId?: string;
  ignored: boolean;
  role?: AxValue;
  name?: AxValue;
  description?: AxValue;
  value?: AxValue;
  properties?: { name: string; value: AxValue }[];
}

const textOf = (value: AxValue | undefined) => String(value?.value ?? '');
const propertyOf = (node: AxNode, name: string) =>
  node.properties?.find((property) => property.name === name)?.value.value;

/** Such as `dialog "Leave the quiz?" – what it says`. */
function describe({ role, name, description }: AxNode): string {
  const more = textOf(description);
  return `${textOf(role)} "${textOf(name)}"${more && ` – ${more}`}`;
}

/** A node's states and value: whether it is checked, what is typed into it. */
function statesOf(node: AxNode): string[] {
  const states = STATES.flatMap((name) => {
    const value = propertyOf(node, name);
    const isSo = value !== undefined && value !== false && value !== 'false';
    return isSo ? [`${name}=${value}`] : [];
  });
  const value = textOf(node.value);
  return value === '' ? states : [...states, `value "${value}"`];
}

/** Role, name and states. */
const spoken = (node: AxNode) => [describe(node), ...statesOf(node)].join(' ');

const fits = (heard: string, what: string | RegExp) =>
  typeof what === 'string' ? heard.includes(what) : what.test(heard);

/** The beginning of each line of the transcript that a live region has said. */
const SAID = '    ';

/**
 * A person without a mouse or a screen: presses keys, and hears, from the accessibility tree, what has
 * the focus and what live regions say.
 */
export class KeyboardUser {
  /** All that was pressed and heard, in order. */
  readonly transcript: string[] = [];
  readonly #page: Page;
  readonly #devtools: CDPSession;
  #places: string[] = [];
  #heardUpTo = 0;

  private constructor(page: Page, devtools: CDPSession) {
    this.#page = page;
    this.#devtools = devtools;
  }

  /** Reloads the page, to listen from its beginning. */
  static async at(page: Page): Promise<KeyboardUser> {
    const devtools = await page.context().newCDPSession(page);
    await devtools.send('Accessibility.enable');
    const user = new KeyboardUser(page, devtools);
    await page.exposeFunction('tellSaid', (role: string, text: string, isNew: boolean) => {
      user.transcript.push(`${SAID}${role}: ${text}${isNew ? ' (came with its text)' : ''}`);
    });
    await page.addInitScript(LISTEN);
    await page.reload();
    return user;
  }

  async press(key: string): Promise<void> {
    this.transcript.push(`[${key}]`);
    await this.#page.keyboard.press(key);
    await this.#page.evaluate(SETTLED).catch(() => {});
  }

  /** Types into what has the focus. */
  async type(text: string): Promise<void> {
    this.transcript.push(`types ${text}`);
    await this.#page.keyboard.type(text);
  }

  async #tree(): Promise<AxNode[]> {
    const tree = await this.#devtools.send('Accessibility.getFullAXTree');
    return tree.nodes;
  }

  /** What a screen reader says of the focused element: the containers just entered, role, name, states. */
  async focused(): Promise<string> {
    const nodes = await this.#tree();
    const byId = new Map(nodes.map((node) => [node.nodeId, node]));
    const node = nodes.findLast((one) => propertyOf(one, 'focused') === true);
    if (!node) return 'nothing';
    const places: string[] = [];
    for (let at = byId.get(node.parentId ?? ''); at; at = byId.get(at.parentId ?? '')) {
      const isNamed = !at.ignored && CONTAINERS.has(textOf(at.role)) && textOf(at.name) !== '';
      if (isNamed) places.unshift(describe(at));
    }
    const entered = places.filter((place) => !this.#places.includes(place));
    this.#places = places;
    const around = entered.map((place) => `${place} >`);
    return [...around, spoken(node)].join(' ');
  }

  /** Waits until an element has the focus, and adds it to the transcript. */
  async arrives(what: string | RegExp): Promise<string> {
    const heard = await vi.waitFor(async () => {
      const now = await this.focused();
      if (!fits(now, what))
        throw new Error(`Expected the focus on ${String(what)}, but it is on: ${now}`);
      return now;
    }, WAIT);
    this.transcript.push(`  ${heard}`);
    const fault = await this.#page.evaluate<string | null>(FOCUS_FAULT);
    if (fault) throw new Error(`${fault}: ${heard}`);
    return heard;
  }

  /**
   * Presses Tab, or Shift+Tab, until an element has the focus. Every focus on the way must be visible.
   * Starts once the element is on the page: content that arrives later can push the focus out of sight.
   */
  async tabTo(what: string | RegExp, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<string[]> {
    await vi.waitFor(async () => {
      const nodes = await this.#tree();
      const isThere = nodes.some((node) => !node.ignored && fits(spoken(node), what));
      if (!isThere) throw new Error(`Not on the page: ${String(what)}`);
    }, WAIT);
    const passed: string[] = [];
    for (let steps = 0; steps < 80; steps += 1) {
      await this.#page.keyboard.press(key);
      const heard = await this.focused();
      const fault = await this.#page.evaluate<string | null>(FOCUS_FAULT);
      // After the last element of a page, the browser itself has the focus.
      if (heard !== 'nothing' && !heard.startsWith('RootWebArea')) {
        if (fault) throw new Error(`${fault}: ${heard}`);
        passed.push(heard);
        if (fits(heard, what)) {
          this.transcript.push(`[${key}]`, ...passed.map((one) => `  ${one}`));
          return passed;
        }
      }
    }
    throw new Error(`"${String(what)}" is not reached by ${key}: ${passed.join(' | ')}`);
  }

  /** Waits until a live region says `text`; each line is matched once, so the next call listens after it. */
  async hears(text: string | RegExp): Promise<void> {
    const isSaid = (line: string) => line.startsWith(SAID) && fits(line, text);
    const at = await vi.waitFor(() => {
      const found = this.transcript.findIndex((line, n) => n >= this.#heardUpTo && isSaid(line));
      if (found < 0) throw new Error(`No live region has said: ${String(text)}`);
      return found;
    }, WAIT);
    this.#heardUpTo = at + 1;
  }
}
