import { checkPage } from '../../domain/access-rules/page-checks/page-checks.ts';
import { data, type OperationHandlers } from '../operation-handler.ts';

export const pageCheckHandlers = {
  checkPage: (view, { body }) => data(checkPage(view, view.pageLoader, body)),
} satisfies OperationHandlers;
