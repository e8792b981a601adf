import { ApiError } from '../../base/api-error.ts';
import type { OperationHandlers } from '../operation-handler.ts';

export const pageCheckHandlers = {
  checkPage: async () => {
    throw new ApiError('page_unavailable', 'Pages cannot be checked yet.');
  },
} satisfies OperationHandlers;
