import type { Role } from '@proveklar/contract/roles.ts';
import { createContext, use } from 'react';

const HOME = '/admin/dashboard';

/** The page that each role sees first: what waits for it. */
export const firstPage = `${HOME}/home`;

/** The pages of each role, by the beginning of their paths. Owners have all. The server decides. */
const PAGES: Record<Exclude<Role, 'owner'>, readonly string[]> = {
  editor: [
    `${HOME}/imports`,
    `${HOME}/questions`,
    `${HOME}/quality`,
    `${HOME}/glossary`,
    `${HOME}/feedback`,
  ],
  support: [`${HOME}/users`, `${HOME}/payments`, `${HOME}/messages`, `${HOME}/feedback`],
  operator: [`${HOME}/operations`],
};

/** Whether a role has the page with this path. */
export function mayOpen(role: Role, path: string): boolean {
  // The page of the imports has the path that all others begin with.
  const isImports = path.replace(/\/$/, '') === HOME;
  if (role === 'owner' || path === firstPage) return true;
  if (isImports) return role === 'editor';
  return PAGES[role].some((page) => path === page || path.startsWith(`${page}/`));
}

/** The role of who is signed in, within the portal. */
export const RoleContext = createContext<Role>('editor');

/** Whether who is signed in may open the pages of questions: support reads reports, and no more of the bank. */
export const useMayOpenQuestions = () => mayOpen(use(RoleContext), `${HOME}/questions`);

/** Whether who is signed in is an owner: others do not see what they may not do. */
export const useIsOwner = () => use(RoleContext) === 'owner';
