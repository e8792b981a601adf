import { QueryClient } from '@tanstack/react-query';

export const queryClient = new QueryClient({
  defaultOptions: {
    // The API client retries by itself where that helps. Nothing waits for the network: a change that the operator
    // gave up would still be sent once the connection is back.
    queries: { staleTime: 15_000, retry: false, networkMode: 'always', refetchOnReconnect: true },
    mutations: { retry: false, networkMode: 'always' },
  },
});
