import type { CreateSavedView, SavedView, UpdateSavedView } from '@gatehouse/contract/dashboard';
import { maxSavedViews } from '@gatehouse/contract/limits';
import { ApiError } from '../../base/api-error.ts';
import { newId, timeOfId } from '../../base/ids.ts';
import { checkName } from '../../base/text/text.ts';
import { isUniqueViolation } from '../../storage/errors.ts';
import type { Change } from '../events/change.ts';
import { lockMember } from '../members/member-lookup.ts';
import {
  deleteView,
  insertView,
  selectView,
  selectViews,
  updateView,
  type ViewOwner,
} from './saved-view-store.ts';

// The searches that operators save in the dashboard. The site of these changes is the operator tenant.

export { deleteViewsOf, selectViews as listSavedViews, type ViewOwner } from './saved-view-store.ts';

/** @throws {ApiError} `invalid_request`, `saved_view_name_taken`, `too_many_saved_views` */
export async function createSavedView(
  change: Change,
  owner: ViewOwner,
  { name, search }: CreateSavedView,
): Promise<SavedView> {
  await lockMember(change, owner.personId);
  if ((await selectViews(change, owner)).length >= maxSavedViews) {
    throw new ApiError(
      'too_many_saved_views',
      `You have ${maxSavedViews} saved views on this site, which is the maximum. Delete one that is no longer used.`,
    );
  }
  const id = newId();
  const view = { id, name: checkName('name', name.trim()), search, createdAt: timeOfId(id) };
  await insertView(change, owner, view).catch(rejectTakenName);
  return view;
}

/** @throws {ApiError} `invalid_request`, `saved_view_not_found`, `saved_view_name_taken` */
export async function updateSavedView(
  change: Change,
  personId: string,
  viewId: string,
  { name, search }: UpdateSavedView,
): Promise<SavedView> {
  await lockMember(change, personId);
  const before = await selectView(change, personId, viewId);
  if (!before) throw viewNotFound();
  const view = {
    ...before,
    ...(name !== undefined && { name: checkName('name', name.trim()) }),
    ...(search !== undefined && { search }),
  };
  await updateView(change, view).catch(rejectTakenName);
  return view;
}

/** @throws {ApiError} `saved_view_not_found` */
export async function deleteSavedView(change: Change, personId: string, viewId: string): Promise<void> {
  if (!(await deleteView(change, personId, viewId))) throw viewNotFound();
}

function viewNotFound(): ApiError {
  return new ApiError('saved_view_not_found', 'You have no saved view with this ID. Check the ID.');
}

function rejectTakenName(error: unknown): never {
  if (!isUniqueViolation(error, 'saved_views_operator_id_operated_site_id_name')) throw error;
  throw new ApiError(
    'saved_view_name_taken',
    'You have another saved view with this name on this site. Choose another name.',
  );
}
