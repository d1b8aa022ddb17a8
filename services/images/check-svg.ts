import { SaxesParser, type SaxesAttributeNS, type SaxesTagNS } from 'saxes';
import type { RowFaultReason } from '@proveklar/contract/question-row.ts';

// What an SVG picture may have. Learners' browsers load it as an image, where nothing in it runs or is fetched; this
// list is for a browser that opens its address, and for browsers with a bug. What is not on it is refused, not removed: the
// picture might look different without it.

const SVG = 'http://www.w3.org/2000/svg';
const XLINK = 'http://www.w3.org/1999/xlink';
const XMLNS = 'http://www.w3.org/2000/xmlns/';

// Without foreignObject, image, a, script, filters (slow), markers (shown at every point of a path, which may have a
// hundred thousand), and the elements of animations.
const ELEMENTS = new Set(
  `svg g defs symbol use title desc style path rect circle ellipse line polyline polygon text tspan
   linearGradient radialGradient stop clipPath mask pattern`.split(/\s+/),
);

const ATTRIBUTES = new Set(
  `id class style lang role aria-hidden aria-label aria-labelledby version baseProfile viewBox
   preserveAspectRatio width height x y x1 y1 x2 y2 cx cy r rx ry fx fy fr dx dy d points rotate
   pathLength transform href offset
   gradientUnits gradientTransform spreadMethod clipPathUnits maskUnits maskContentUnits mask-type
   patternUnits patternContentUnits patternTransform type media
   fill fill-opacity fill-rule stroke stroke-width stroke-opacity stroke-linecap stroke-linejoin
   stroke-miterlimit stroke-dasharray stroke-dashoffset color opacity visibility display overflow
   clip-path clip-rule mask stop-color stop-opacity
   paint-order vector-effect shape-rendering text-rendering color-interpolation
   font-family font-size font-style font-variant font-weight font-stretch letter-spacing
   word-spacing text-anchor text-decoration dominant-baseline alignment-baseline baseline-shift
   textLength lengthAdjust writing-mode direction unicode-bidi`.split(/\s+/),
);
/** Attributes of other namespaces, by their usual names. */
const FOREIGN: Readonly<Record<string, string>> = {
  'xlink:href': XLINK,
  'xml:space': 'http://www.w3.org/XML/1998/namespace',
  'xml:lang': 'http://www.w3.org/XML/1998/namespace',
};
const DECLARED: Readonly<Record<string, string>> = { xmlns: SVG, 'xmlns:xlink': XLINK };

const MAX_DEPTH = 50;
/** Elements, counting those that `use` and patterns repeat. */
const MAX_ELEMENTS = 20_000;

/** A picture is refused: the reason, and the name of what it must not have. */
export class ImageRefused extends Error {
  override readonly name = 'ImageRefused';
  readonly reason: RowFaultReason;
  readonly part: string | undefined;

  constructor(reason: RowFaultReason, part?: string) {
    super(reason);
    this.reason = reason;
    this.part = part;
  }
}

export interface Size {
  width: number;
  height: number;
}

interface Element {
  name: string;
  children: Element[];
  /** Ids of this picture that it shows once more. */
  refers: string[];
}

/**
 * Checks an SVG picture against the list of what it may have.
 *
 * @returns its size
 * @throws ImageRefused
 */
export function checkSvg(text: string): Size {
  const parser = new SaxesParser({ xmlns: true });
  const byId = new Map<string, Element>();
  const open: Element[] = [];
  let root: { element: Element; size: Size } | undefined;
  let elements = 0;

  parser.on('error', () => {
    throw new ImageRefused('image_damaged');
  });
  parser.on('xmldecl', ({ encoding }) => {
    if (encoding && encoding.toLowerCase() !== 'utf-8') throw new ImageRefused('image_damaged');
  });
  parser.on('doctype', () => {
    throw new ImageRefused('svg_declaration', 'DOCTYPE');
  });
  parser.on('processinginstruction', ({ target }) => {
    throw new ImageRefused('svg_declaration', target);
  });
  parser.on('opentag', (tag) => {
    const name = nameOf(tag);
    const refers = Object.values(tag.attributes).flatMap((attribute) =>
      checkAttribute(name, attribute),
    );
    const element: Element = { name, children: [], refers };
    open.at(-1)?.children.push(element);
    root ??= { element, size: sizeOf(tag) };
    const id = tag.attributes.id?.value;
    if (id !== undefined && !byId.has(id)) byId.set(id, element);
    open.push(element);
    elements += 1;
    if (open.length > MAX_DEPTH || elements > MAX_ELEMENTS)
      throw new ImageRefused('svg_too_complex');
  });
  parser.on('closetag', () => open.pop());
  const checkText = (content: string) => {
    if (open.at(-1)?.name === 'style') checkStyle(content, 'style');
  };
  parser.on('text', checkText);
  parser.on('cdata', checkText);
  parser.write(text).close();
  if (!root) throw new ImageRefused('not_an_svg');
  if (countShown(root.element, byId) > MAX_ELEMENTS) throw new ImageRefused('svg_too_complex');
  return root.size;
}

function nameOf(tag: SaxesTagNS): string {
  // A root without the namespace is no picture in any browser.
  if (tag.name === 'svg' && tag.uri !== SVG) throw new ImageRefused('not_an_svg');
  if (tag.uri !== SVG || !ELEMENTS.has(tag.local)) {
    throw new ImageRefused('svg_element', tag.name.slice(0, 60));
  }
  return tag.local;
}

/** @returns the ids that it refers to */
function checkAttribute(element: string, { name, local, uri, value }: SaxesAttributeNS): string[] {
  const part = `${element}.${name.slice(0, 60)}`;
  if (uri === XMLNS) {
    if (DECLARED[name] !== value) throw new ImageRefused('svg_attribute', part);
    return [];
  }
  const isAllowed = uri === '' ? ATTRIBUTES.has(name) : FOREIGN[name] === uri;
  if (!isAllowed) throw new ImageRefused('svg_attribute', part);
  if (local === 'href') {
    const [, id] = /^#([^\s#]+)$/.exec(value.trim()) ?? [];
    if (id === undefined) throw new ImageRefused('svg_reference', part);
    return [id];
  }
  return name.startsWith('aria-') ? [] : checkStyle(value, part, { references: true });
}

/** What a style or another value may refer to: a part of this picture. */
const LOCAL_URL = /url\(\s*(["']?)#([\w.:-]+)\1\s*\)/gi;
/** Fetches something, is a rule of its own, or hides one of these behind an escape. */
const FETCHES = /url\s*\(|image\s*\(|image-set\s*\(|src\s*\(|expression\s*\(|[@\\]/i;

/** @returns the ids that it refers to */
function checkStyle(value: string, part: string, { references = false } = {}): string[] {
  const ids: string[] = [];
  const rest = references
    ? value.replaceAll(LOCAL_URL, (_all, _quote, id: string) => {
        ids.push(id);
        return ' ';
      })
    : value;
  if (FETCHES.test(rest)) throw new ImageRefused(references ? 'svg_reference' : 'svg_style', part);
  return ids;
}

/**
 * The elements of a picture, each as often as it is shown: `use` within `use` can make millions of a few lines.
 *
 * @throws ImageRefused when a part shows itself
 */
function countShown(root: Element, byId: ReadonlyMap<string, Element>): number {
  const counts = new Map<Element, number>();
  const inside = new Set<Element>();
  const count = (element: Element): number => {
    const known = counts.get(element);
    if (known !== undefined) return known;
    if (inside.has(element)) throw new ImageRefused('svg_too_complex', element.name);
    inside.add(element);
    const parts = [...element.children, ...element.refers.flatMap((id) => byId.get(id) ?? [])];
    const total = parts.reduce((sum, part) => sum + count(part), 1);
    inside.delete(element);
    counts.set(element, total);
    return total;
  };
  return count(root);
}

/** The longer side of a picture whose own units are smaller: only its ratio counts. */
const MIN_SIDE = 1_000;

function sizeOf({ attributes }: SaxesTagNS): Size {
  const [width, height] = [lengthOf(attributes.width?.value), lengthOf(attributes.height?.value)];
  const box = (attributes.viewBox?.value ?? '')
    .trim()
    .split(/[\s,]+/)
    .map(Number);
  const [w, h] = width && height ? [width, height] : [box[2] ?? 0, box[3] ?? 0];
  if (!(w > 0 && h > 0)) throw new ImageRefused('image_dimensions');
  const scale = Math.max(1, MIN_SIDE / Math.max(w, h));
  return { width: Math.round(w * scale), height: Math.round(h * scale) };
}

function lengthOf(value: string | undefined): number | undefined {
  const [, number] = /^\s*(\d+(?:\.\d+)?)(?:px)?\s*$/.exec(value ?? '') ?? [];
  return number === undefined ? undefined : Number(number);
}
