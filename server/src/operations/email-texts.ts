import { listEmailTexts, replaceEmailTexts } from '../domain/email-texts/email-texts.ts';
import { data, type OperationHandlers } from './operation-handler.ts';

export const emailTextHandlers = {
  listEmailTexts: (view) => data(listEmailTexts(view)),

  replaceEmailTexts: ({ change }, { params, body }) => data(replaceEmailTexts(change, params.language, body)),
} satisfies OperationHandlers;
