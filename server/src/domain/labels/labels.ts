import type { CreateLabel, Label } from '@gatehouse/contract';
import { ApiError, type Precondition } from '../../base/api-error.ts';
import { newId, timeOfId } from '../../base/ids.ts';
import { type Page, toPage } from '../../base/page.ts';
import { checkName } from '../../base/text/text.ts';
import type { SiteView } from '../../storage/site-view.ts';
import { addTombstones, findTombstone } from '../cursors/cursor-tombstones.ts';
import type { Change } from '../events/change.ts';
import { deleteLabelRow, insertLabel, selectLabel, selectLabels } from './label-store.ts';

const listName = 'labels';

interface LabelQuery {
  readonly after?: string;
  readonly limit: number;
}

/** Lists labels, newest first. @throws {ApiError} `invalid_cursor` */
export async function listLabels(view: SiteView, { after, limit }: LabelQuery): Promise<Page<Label>> {
  if (after !== undefined && !(await selectLabel(view, after))) await findTombstone(view, listName, after);
  return toPage(await selectLabels(view, after, limit + 1), limit, (label) => label);
}

/** @throws {ApiError} `label_not_found` */
export async function findLabel(view: SiteView, labelId: string): Promise<Label> {
  const label = await selectLabel(view, labelId);
  if (!label) throw labelNotFound();
  return label;
}

/** @throws {ApiError} `invalid_request` */
export async function createLabel(change: Change, { name }: CreateLabel): Promise<Label> {
  const id = newId();
  const label = { id, name: checkName('name', name.trim()), createdAt: timeOfId(id) };
  await insertLabel(change, label);
  return label;
}

/** @throws {ApiError} `label_not_found`, `precondition_failed` */
export async function deleteLabel(
  change: Change,
  labelId: string,
  requireMatch: Precondition<Label>,
): Promise<void> {
  requireMatch(await findLabel(change, labelId));
  if (!(await deleteLabelRow(change, labelId))) throw labelNotFound();
  await addTombstones(change, [{ list: listName, id: labelId }]);
}

function labelNotFound(): ApiError {
  return new ApiError('label_not_found', 'This site has no label with this ID. Check the ID.');
}
