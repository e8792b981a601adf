import { CommandFailure } from '../../../app/failure.ts';
import type { Settings } from '../../../app/settings/settings.ts';
import { DatabaseClosed } from '../../../storage/errors.ts';
import { deleteClosure, describeClosure } from '../../../storage/migrations/closure.ts';
import { findClosure } from '../../../storage/migrations/migrations.ts';
import { withLockedSource } from './copied-stores.ts';
import { placeOf } from './target-url.ts';

/** Lets services use a database again that is being copied, or was copied. Returns its place. @throws {CommandFailure} */
export function reopenDatabase(settings: Settings, force: boolean): Promise<string> {
  const place = placeOf(settings.databaseDirectUrl ?? settings.databaseUrl);
  return withLockedSource(settings, async (source) => {
    const closure = await findClosure(source);
    if (closure === undefined) throw new CommandFailure('not_closed', `${place} is not closed.`);
    const isAllowed = closure.state === 'copying' || (closure.state === 'copied' && force);
    if (!isAllowed) throw new DatabaseClosed(describeClosure(closure));
    await source.transaction((tx) => deleteClosure(tx, closure));
    return place;
  });
}
