import { renderToString } from 'react-dom/server';
import { expect, test } from 'vitest';
import { type OptionLook, Picture } from './picture.tsx';

const image = { url: '/picture', alt: 'Et kart', width: 300, height: 400 };

/** The texts that stand on the picture. */
function marksOn(options: string[], look: (option: string) => OptionLook = () => 'open') {
  const areas = options.map((name) => ({ name, shape: '0,0 10,0 10,10' }));
  const html = renderToString(
    <Picture
      picture={{ image, areas, language: 'no' }}
      options={options}
      look={look}
      onChoose={() => {}}
    />,
  );
  return [...html.matchAll(/<text[^>]*>([^<]*)<\/text>/g)].map(([, text]) => text);
}

test('each place on a picture has the letter of its option', () => {
  expect(marksOn(['Oslo', 'Bergen'])).toEqual(['A', 'B']);
});

test('a picture with numbers shows them, right and wrong with the number in place of the letter', () => {
  const numbers = ['Nummer 2', 'Nummer 1'];
  expect(marksOn(numbers)).toEqual([]);
  const judged = (option: string) => (option === 'Nummer 1' ? 'wrong' : 'key');
  expect(marksOn(numbers, judged)).toEqual(['2 ✓', '1 ✕']);
});
