import { joinActivity, type User, type UserDeps } from './user.ts';

export interface UserPage {
  users: User[];
  /** Null on the last page. */
  nextPageToken: string | null;
}

export interface UserPageWish {
  /** At most 1000: the identity provider gives no more. */
  pageSize: number;
  pageToken?: string | undefined;
}

/**
 * A page of all users, in the order of the identity provider, which alone knows everybody.
 *
 * @throws AppError `validation_failed` for a page token that is none, `identity_provider_failed`
 */
export async function listUsers(
  { db, identity }: UserDeps,
  { pageSize, pageToken }: UserPageWish,
): Promise<UserPage> {
  const page = await identity.listUsers(pageSize, pageToken);
  const uids = page.users.map(({ uid }) => uid);
  return {
    users: await joinActivity(db, uids, page.users),
    nextPageToken: page.nextPageToken,
  };
}
