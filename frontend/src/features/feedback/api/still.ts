/** Options of a list that is read anew when it is opened, and then stands still. */
export const STILL = {
  staleTime: 0,
  refetchOnWindowFocus: false,
  refetchOnReconnect: false,
} as const;
