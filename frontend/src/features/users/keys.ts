export type UsersWish = { email: string; pageToken: string | undefined };

export const usersKeys = {
  all: ['admin', 'users'] as const,
  list: (wish: UsersWish) => [...usersKeys.all, 'list', wish] as const,
  grantAudience: () => [...usersKeys.all, 'grant-audience'] as const,
};
