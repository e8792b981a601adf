import { ApiError } from '../../base/api-error.ts';
import type { OperationHandlers } from '../operation-handler.ts';

export const pageCodeHandlers = {
  listPageCodes: notYet,
  createPageCode: notYet,
  getPageCode: notYet,
  updatePageCode: notYet,
  replacePageCode: notYet,
  deletePageCode: notYet,
} satisfies OperationHandlers;

async function notYet(): Promise<never> {
  throw new ApiError('internal_error', 'This operation is not available yet.');
}
