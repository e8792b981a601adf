import type { Static } from 'typebox';
import { exampleIds, nullable, openEnumeration, shape, text } from '../shared/schemas.ts';

export const actorTypes = ['key', 'operator', 'member', 'source', 'system'] as const;
export type ActorType = (typeof actorTypes)[number];

export const Actor = shape('Actor', 'Who or what caused the event.', {
  type: openEnumeration(
    actorTypes,
    '`key`: a program with an API key. `operator`: a person in the dashboard or on the command line. `member`: ' +
      'the member, through a login link. `source`: an external workspace. `system`: Gatehouse itself.',
    'key',
  ),
  id: nullable(text('The id of the actor; null if it has none.', exampleIds.key)),
  name: nullable(text('The name of the actor at that time; null if it has none.', 'Shop')),
});
/** Who or what caused an event. */
export type Actor = Static<typeof Actor>;
