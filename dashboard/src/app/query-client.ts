import { QueryClient } from '@tanstack/react-query';

export const queryClient = new QueryClient({
  defaultOptions: {
    // The client of the API tries again by itself where that helps. Nothing waits for the network: what was given up
    // would be done all the same once it is back.
    queries: { staleTime: 15_000, retry: false, networkMode: 'always', refetchOnReconnect: true },
    mutations: { retry: false, networkMode: 'always' },
  },
});
