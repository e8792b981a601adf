import { QueryClient } from '@tanstack/react-query';

export const queryClient = new QueryClient({
  defaultOptions: {
    // The client of the API tries again by itself where that helps.
    queries: { staleTime: 15_000, retry: false },
    mutations: { retry: false },
  },
});
