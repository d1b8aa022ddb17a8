import { expect, test } from 'vitest';
import { withPictures } from '@proveklar/services/bank-releases/read-release.ts';
import { question, english, useBankFolder } from './test-bank.ts';

const { lint, dir } = useBankFolder();

const AT = 'historie.no.json[0] (historie-001)';
const svg = (inner = '') =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 3 2">${inner}</svg>`;
const areasOf = (...names: string[]) =>
  names.map((name, place) => ({ name, shape: `${place}0,1 ${place}5,1 ${place}5,9` }));
const PICTURE = {
  image: 'images/kart.svg',
  image_alt: 'Et kart over Norge',
  areas: areasOf('Bergen', 'Stavanger', 'Trondheim', 'Oslo'),
};

const faultsWith = async (change: object, file = svg()) =>
  (
    await lint({
      'images/kart.svg': file,
      'historie.no.json': [question(1, { ...PICTURE, ...change })],
    })
  ).faults;

test('a picture is counted by topic, and loaded as a data URI', async () => {
  const { faults, topics } = await lint({
    'images/kart.svg': svg(),
    'historie.no.json': [question(1, PICTURE)],
  });
  expect([faults, topics[0]!.pictures]).toEqual([[], 1]);
  const [row] = await withPictures(dir(), [{ image: PICTURE.image }]);
  expect(row!.image).toBe(`data:image/svg+xml;base64,${Buffer.from(svg()).toString('base64')}`);
});

test.each<[object, string, string?]>([
  [{ image: 'images/by.svg' }, 'image images/by.svg cannot be read: ENOENT'],
  [{ image: '../kart.svg' }, 'image ../kart.svg cannot be read: ../kart.svg is not a name such as'],
  [{ image: 'images/../../kart.svg' }, 'cannot be read'],
  [{}, 'image.script is an element that is not allowed in an SVG picture here', svg('<script/>')],
  [
    {},
    'image images/kart.svg is larger than 60 kB: it has 61 kB',
    svg(`<desc>${'x'.repeat(60_100)}</desc>`),
  ],
  [{ image_alt: undefined }, 'image_alt is missing'],
  [{ image_alt: ' Et kart' }, 'image_alt has stray spaces'],
  [{ areas: areasOf('Bergen', 'Stavanger', 'Oslo') }, 'areas does not have each answer once'],
  [
    { areas: [{ name: 'Bergen', shape: '1,1' }] },
    'areas.0.shape is not a shape: write 3 to 40 points',
  ],
  [{ image: undefined }, 'image_alt needs a picture'],
])('a picture is reported: %#', async (change, fault, file) => {
  const faults = await faultsWith(change, file);
  expect(faults[0]).toContain(AT.replace(' (historie-001)', ''));
  expect(faults[0]).toContain(fault);
});

test('the twin has a picture too, and the same shapes in the same picture', async () => {
  const twins = async (change: object) => {
    const { faults } = await lint({
      'images/kart.svg': svg(),
      'images/map.svg': svg('<g/>'),
      'historie.no.json': [question(1, PICTURE)],
      'historie.en.json': [english(1, { ...PICTURE, ...change })],
    });
    return faults;
  };
  const moved = PICTURE.areas.with(1, { name: 'Stavanger', shape: '1,1 2,2 3,3' });
  expect(await twins({})).toEqual([]);
  expect(await twins({ areas: moved, image: 'images/map.svg' })).toEqual([]);
  expect(await twins({ areas: moved })).toEqual([
    expect.stringContaining('shapes of the areas, in the order of the options, differ'),
  ]);
  expect(await twins({ image: undefined, image_alt: undefined, areas: undefined })).toEqual([
    expect.stringContaining('presence of image differ'),
  ]);
});
