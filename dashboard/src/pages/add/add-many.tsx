import { type ReactNode, useState } from 'react';
import { useUnsavedWarning } from '../../parts/unsaved.ts';
import type { Source } from './import/failed-rows.ts';
import { ImportProgress } from './import/import-progress.tsx';
import { useImport } from './import/use-import.ts';
import type { Person } from './people.ts';
import { Preview } from './preview.tsx';

interface AddManyProps {
  people: readonly Person[];
  /** What they come from, for a file of those who fail. */
  source: Source;
  /** Whether something was typed or dropped that is lost when the page is left. */
  unsaved: boolean;
  /** Forgets what was typed or dropped, once everybody is added. */
  clear: () => void;
  /** Where the people come from. */
  children: ReactNode;
}

/** Adds many people: where they come from, what will become of each, and then the import in place of both. */
export function AddMany({ people, source, unsaved, clear, children }: AddManyProps) {
  const adding = useImport();
  const [groupIds, setGroupIds] = useState<string[]>([]);
  useUnsavedWarning(unsaved && !adding.state?.isOver);

  if (adding.state) {
    return (
      <ImportProgress
        state={adding.state}
        source={source}
        stop={adding.stop}
        goOn={adding.goOn}
        back={adding.clear}
        addMore={() => {
          adding.clear();
          clear();
        }}
      />
    );
  }
  return (
    <>
      {children}
      {people.length > 0 && (
        <Preview
          people={people}
          groupIds={groupIds}
          chooseGroups={setGroupIds}
          start={(idsOf) => adding.start(people, (person) => [...groupIds, ...idsOf(person)])}
        />
      )}
    </>
  );
}
