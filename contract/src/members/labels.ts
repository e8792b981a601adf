import type { Static } from 'typebox';
import { maxNameLength } from '../shared/limits.ts';
import { named, Resource } from '../shared/resource.ts';
import { dateTime, exampleIds, rawText, request, shape, text, uuid } from '../shared/schemas.ts';

export const Label = shape('Label', 'A word with which operators mark members.', {
  id: uuid('The label.', exampleIds.label),
  name: text('Display name.', 'Speaker', { minLength: 1, maxLength: maxNameLength }),
  createdAt: dateTime('When the label was created.'),
});
export type Label = Static<typeof Label>;

export const CreateLabel = request('CreateLabel', {
  name: rawText('Display name, 1 to 100 characters after trimming.', 'Speaker'),
});
export type CreateLabel = Static<typeof CreateLabel>;

const labels = new Resource({
  tag: 'Members',
  name: 'label',
  read: 'members:read',
  write: 'members:write',
});

export const labelOperations = named({
  listLabels: labels.list({
    path: '/labels',
    summary: 'List labels',
    description: 'The labels of the site, newest first.',
    returns: Label,
  }),
  createLabel: labels.create({
    path: '/labels',
    summary: 'Create a label',
    description: 'Creates a label, which no member has yet.',
    body: CreateLabel,
    returns: Label,
  }),
  getLabel: labels.get({
    path: '/labels/{labelId}',
    summary: 'Get a label',
    description: 'One label.',
    returns: Label,
  }),
  deleteLabel: labels.delete({
    path: '/labels/{labelId}',
    summary: 'Delete a label',
    description: 'Permanent.',
  }),
});
