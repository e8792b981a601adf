import type { Static } from 'typebox';
import { maxNameLength, maxSavedSearchLength, maxSavedViews } from '../shared/limits.ts';
import { named } from '../shared/resource.ts';
import {
  all,
  changes,
  closed,
  dateTime,
  exampleIds,
  noControlCharacters,
  rawText,
  request,
  shape,
  single,
  text,
  uuid,
} from '../shared/schemas.ts';
import { dashboardOperation } from './operation.ts';

const exampleName = 'Course 2026, ending soon';
const exampleSearch = `group=${exampleIds.group}&ends=30`;

export const SavedView = shape('SavedView', 'A search for members that an operator has saved.', {
  id: uuid('The saved view.', exampleIds.savedView),
  name: text('The name that the operator chose.', exampleName),
  search: text('The query of the URL of the members page.', exampleSearch),
  createdAt: dateTime('When it was saved.'),
});
export type SavedView = Static<typeof SavedView>;

const fields = {
  name: rawText(
    `The name, 1 to ${maxNameLength} characters after trimming. Each saved view of an operator on a site has another one.`,
    exampleName,
  ),
  search: text(
    'The query of the URL of the members page, without the question mark. Empty for all members.',
    exampleSearch,
    { maxLength: maxSavedSearchLength, pattern: noControlCharacters },
  ),
};

export const CreateSavedView = request('CreateSavedView', fields);
export type CreateSavedView = Static<typeof CreateSavedView>;

export const UpdateSavedView = changes('UpdateSavedView', fields);
export type UpdateSavedView = Static<typeof UpdateSavedView>;

const query = closed({ siteId: uuid('A site that the operator has a role on.', exampleIds.site) });
export type SavedViewsQuery = Static<typeof query>;

const whose =
  'Saved views belong to one operator on one site: others cannot see them, and they are deleted with the role.';

export const savedViewOperations = named({
  listSavedViews: dashboardOperation({
    method: 'GET',
    path: '/saved-views',
    tag: 'Saved views',
    summary: 'List the saved views of the operator',
    description: `All saved views of the operator on a site, at most ${maxSavedViews}, oldest first; none without a role on it. ${whose}`,
    query,
    returns: all(SavedView),
    success: 'The saved views.',
  }),
  createSavedView: dashboardOperation({
    method: 'POST',
    path: '/saved-views',
    tag: 'Saved views',
    summary: 'Save a view',
    description: `Saves a search for members. ${whose}`,
    query,
    body: CreateSavedView,
    status: 201,
    returns: single(SavedView),
    success: 'The saved view.',
    errors: ['saved_view_name_taken', 'too_many_saved_views'],
  }),
  updateSavedView: dashboardOperation({
    method: 'PATCH',
    path: '/saved-views/{viewId}',
    tag: 'Saved views',
    summary: 'Change a saved view',
    description: 'Changes the name or the search of a saved view.',
    body: UpdateSavedView,
    returns: single(SavedView),
    success: 'The saved view after the change.',
    errors: ['saved_view_not_found', 'saved_view_name_taken'],
  }),
  deleteSavedView: dashboardOperation({
    method: 'DELETE',
    path: '/saved-views/{viewId}',
    tag: 'Saved views',
    summary: 'Delete a saved view',
    description: 'Deletes a saved view of the operator.',
    success: 'The saved view is deleted.',
    errors: ['saved_view_not_found'],
  }),
});
