import { expect, test } from 'vitest';
import { checkSvg, ImageRefused } from './check-svg.ts';

const svg = (inner: string, attributes = 'viewBox="0 0 400 200"') =>
  `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" ${attributes}>${inner}</svg>`;

function refusal(text: string): string {
  try {
    return JSON.stringify(checkSvg(text));
  } catch (error) {
    if (!(error instanceof ImageRefused)) throw error;
    return [error.reason, error.part].filter(Boolean).join(' ');
  }
}

test.each<[string, string]>([
  ['<script>alert(1)</script>', 'svg_element script'],
  ['<script href="#a"/>', 'svg_element script'],
  ['<a href="#b"><path d="M0 0"/></a>', 'svg_element a'],
  ['<image href="data:image/png;base64,AAAA"/>', 'svg_element image'],
  [
    '<foreignObject><p xmlns="http://www.w3.org/1999/xhtml"/></foreignObject>',
    'svg_element foreignObject',
  ],
  ['<p xmlns="http://www.w3.org/1999/xhtml"/>', 'svg_element p'],
  ['<h:script xmlns:h="http://www.w3.org/1999/xhtml"/>', 'svg_element h:script'],
  ['<animate attributeName="href"/>', 'svg_element animate'],
  ['<set attributeName="href"/>', 'svg_element set'],
  ['<animateTransform/>', 'svg_element animateTransform'],
  ['<filter/>', 'svg_element filter'],
  ['<metadata/>', 'svg_element metadata'],
  ['<marker id="m"/>', 'svg_element marker'],
  ['<path d="M0 0h1h1" marker-mid="url(#m)"/>', 'svg_attribute path.marker-mid'],
  ['<g onclick="alert(1)"/>', 'svg_attribute g.onclick'],
  ['<g ONLOAD="alert(1)"/>', 'svg_attribute g.ONLOAD'],
  ['<g data-right="yes"/>', 'svg_attribute g.data-right'],
  ['<g xml:base="https://example.no/"/>', 'svg_attribute g.xml:base'],
  ['<g xlink:show="new"/>', 'svg_attribute g.xlink:show'],
  ['<g xmlns:e="http://example.no/"/>', 'svg_attribute g.xmlns:e'],
  ['<use href="https://example.no/a.svg#b"/>', 'svg_reference use.href'],
  ['<use href="//example.no/a.svg#b"/>', 'svg_reference use.href'],
  ['<use xlink:href="data:image/svg+xml,x#b"/>', 'svg_reference use.xlink:href'],
  ['<use href="javascript:alert(1)"/>', 'svg_reference use.href'],
  ['<g style="fill: url(https://example.no/a)"/>', 'svg_reference g.style'],
  ['<g style="fill: u\\72l(https://example.no/a)"/>', 'svg_reference g.style'],
  ['<g fill="url( &#39;https://example.no/a#b&#39; )"/>', 'svg_reference g.fill'],
  ['<g clip-path="url(a.svg#b)"/>', 'svg_reference g.clip-path'],
  ['<style>.a { fill: url(#b) }</style>', 'svg_style style'],
  ['<style>@import "https://example.no/a.css"; </style>', 'svg_style style'],
  ['<style><![CDATA[.a { fill: URL(https://example.no/a) }]]></style>', 'svg_style style'],
  ['<style>.a { cursor: image-set("https://example.no/a" 1x) }</style>', 'svg_style style'],
  ['<?xml-stylesheet href="https://example.no/a.css"?>', 'svg_declaration xml-stylesheet'],
  ['<path d="M0 0">', 'image_damaged'],
  ['<text>&nbsp;</text>', 'image_damaged'],
  ['<g id="a"><use href="#a"/></g>', 'svg_too_complex g'],
  ['<g>'.repeat(60) + '</g>'.repeat(60), 'svg_too_complex'],
  ['<g/>'.repeat(20_001), 'svg_too_complex'],
])('an SVG is refused with %s', (inner, reason) => {
  expect(refusal(svg(inner))).toBe(reason);
});

test('an SVG whose parts repeat each other a million times is refused', () => {
  const levels = Array.from(
    { length: 7 },
    (_, at) => `<g id="l${at + 1}">${`<use href="#l${at}"/>`.repeat(8)}</g>`,
  );
  expect(refusal(svg(`<path id="l0" d="M0 0"/>${levels.join('')}`))).toBe('svg_too_complex');
  expect(refusal(svg(`<path id="l0" d="M0 0"/>${levels.slice(0, 3).join('')}`))).toMatch('width');
});

test.each([
  ['<!DOCTYPE svg [<!ENTITY a "b">]>' + svg('<text>&a;</text>'), 'svg_declaration DOCTYPE'],
  ['<!DOCTYPE svg SYSTEM "file:///etc/passwd">' + svg(''), 'svg_declaration DOCTYPE'],
  [
    '<!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/passwd">]>' + svg('<text>&x;</text>'),
    'svg_declaration DOCTYPE',
  ],
  [
    `<!DOCTYPE svg [<!ENTITY a "${'b'.repeat(99)}"><!ENTITY c "${'&a;'.repeat(99)}">]>${svg('<text>&c;</text>')}`,
    'svg_declaration DOCTYPE',
  ],
  ['<svg viewBox="0 0 1 1"></svg>', 'not_an_svg'],
  ['<html xmlns="http://www.w3.org/1999/xhtml"/>', 'svg_element html'],
  ['<?xml version="1.0" encoding="utf-16"?>' + svg(''), 'image_damaged'],
  ['', 'image_damaged'],
  [svg('', ''), 'image_dimensions'],
  [svg('', 'viewBox="0 0 0 10"'), 'image_dimensions'],
  [svg('', 'width="100%" height="100%"'), 'image_dimensions'],
])('a file is refused: %#', (text, reason) => {
  expect(refusal(text)).toBe(reason);
});

test('a drawing with gradients, clips, styles, text and repeated parts is accepted', () => {
  const drawing = `<?xml version="1.0" encoding="UTF-8"?>
    <!-- A comment -->
    ${svg(`<title>Kart</title>
      <defs><linearGradient id="g"><stop offset="0" stop-color="#fff"/></linearGradient>
        <symbol id="s" viewBox="0 0 1 1"><circle r="1"/></symbol></defs>
      <style>.a { fill: #c00; font-family: sans-serif }</style>
      <path class="a" d="M0 0h9" fill="url(#g)" style="stroke: url('#g'); opacity: 0.5"/>
      <use xlink:href="#s" x="1"/><use href="#s"/><text x="1" aria-label="a@b">Oslo &amp; Bergen &#230;</text>`)}`;
  expect(checkSvg(drawing)).toEqual({ width: 1000, height: 500 });
});

test('the size is width and height, else the viewBox, and at least 1000 on the longer side', () => {
  expect(checkSvg(svg('', 'width="1200px" height="300" viewBox="0 0 1 1"'))).toEqual({
    width: 1200,
    height: 300,
  });
  expect(checkSvg(svg('', 'viewBox="-5,-5 1.5 1"'))).toEqual({ width: 1000, height: 667 });
});
