import { countLoginMethods } from '../../domain/overview/login-methods.ts';
import { data, type OperationHandlers } from '../operation-handler.ts';

export const loginMethodHandlers = {
  getLoginMethods: {
    readsMany: () => true,
    handle: (view) => data(countLoginMethods(view)),
  },
} satisfies OperationHandlers;
