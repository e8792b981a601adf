import { findEmailTexts, listEmailTexts, replaceEmailTexts } from '../domain/email-texts/email-texts.ts';
import { data, type OperationHandlers } from './operation-handler.ts';

export const emailTextHandlers = {
  listEmailTexts: (view) => data(listEmailTexts(view)),

  getEmailTexts: (view, { params }) => data(findEmailTexts(view, params.language)),

  replaceEmailTexts: ({ change, requireMatch }, { params, body }) =>
    data(replaceEmailTexts(change, params.language, body, requireMatch)),
} satisfies OperationHandlers;
