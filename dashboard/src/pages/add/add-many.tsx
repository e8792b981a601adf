import { type ReactNode, useState } from 'react';
import { useUnsavedWarning } from '../../parts/unsaved.ts';
import { ImportProgress } from './import-progress.tsx';
import type { Person } from './people.ts';
import { Preview } from './preview.tsx';
import { useImport } from './use-import.ts';

interface AddManyProps {
  people: readonly Person[];
  /** Whether something was typed or dropped that is lost when the page is left. */
  unsaved: boolean;
  /** Forgets what was typed or dropped, once everybody is added. */
  clear: () => void;
  /** Where the people come from. */
  children: ReactNode;
}

/** Adds many people: where they come from, what will become of each, and then the import in place of both. */
export function AddMany({ people, unsaved, clear, children }: AddManyProps) {
  const adding = useImport();
  const [groupIds, setGroupIds] = useState<string[]>([]);
  useUnsavedWarning(unsaved && !adding.state?.isOver);

  if (adding.state) {
    return (
      <ImportProgress
        state={adding.state}
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
          start={(some, leftOut) => adding.start(some, groupIds, leftOut)}
        />
      )}
    </>
  );
}
