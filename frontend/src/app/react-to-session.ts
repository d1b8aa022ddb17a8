import { request } from '#lib/api-client.ts';
import { ApiError } from '#lib/api-error.ts';
import { queryClient } from '#lib/query-client.ts';
import { getSession, onSessionChange } from '#lib/session.ts';
import { router } from './router.ts';

// After a change of user, the other user's data must disappear, and the routes' guards must run again.
let uid = getSession().user?.uid;
onSessionChange(() => {
  const session = getSession();
  if (session.status === 'loading' || session.user?.uid === uid) return;
  if (uid !== undefined) {
    queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'config' });
    queryClient.getMutationCache().clear();
    void router.invalidate();
  }
  uid = session.user?.uid;
  if (uid !== undefined) startFollowing();
});

let following = false;
/** Loaded at the first sign-in: visitors do not need it. */
function startFollowing() {
  if (following) return;
  following = true;
  void import('./while-signed-in.ts').then(
    ({ startWhileSignedIn }) =>
      startWhileSignedIn({ queryClient, request, getSession, onSessionChange }),
    () => (following = false),
  );
}

function leaveWhenExpired(error: unknown) {
  if (error instanceof ApiError && error.status === 402)
    void router.navigate({ to: '/quiz/billing' });
}
queryClient.getQueryCache().subscribe((event) => {
  if (event.type === 'updated' && event.action.type === 'error')
    leaveWhenExpired(event.action.error);
});
queryClient.getMutationCache().subscribe((event) => {
  if (event.type === 'updated' && event.action.type === 'error')
    leaveWhenExpired(event.action.error);
});
