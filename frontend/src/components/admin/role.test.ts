import { expect, test } from 'vitest';
import { firstPage, mayOpen } from './role.ts';

const home = '/admin/dashboard';

test('an owner may open every page', () => {
  for (const page of ['', '/users', '/settings', '/audit', '/payments/1'])
    expect(mayOpen('owner', home + page)).toBe(true);
});

test.each([
  [
    'editor',
    ['', '/', '/imports/1', '/questions/7', '/quality/coverage', '/glossary', '/feedback'],
  ],
  ['support', ['/users', '/payments', '/payments/1', '/messages/1', '/feedback']],
  ['operator', ['/operations']],
] as const)('%s may open the own pages only', (role, pages) => {
  for (const page of pages) expect([page, mayOpen(role, home + page)]).toEqual([page, true]);
  const others = role === 'editor' ? ['/users', '/payments/1'] : ['', '/questions', '/quality'];
  if (role === 'operator') others.push('/users', '/payments', '/feedback');
  for (const page of [...others, '/settings', '/audit', '/usersx'])
    expect([page, mayOpen(role, home + page)]).toEqual([page, false]);
  expect(mayOpen(role, firstPage)).toBe(true);
});
