import type { MemberDraft } from '@gatehouse/member-lists';
import { useDidUpdate } from '@mantine/hooks';
import { type ReactNode, useState } from 'react';
import { focusIfLost } from '../../hooks/focus.ts';
import { useUnsavedWarning } from '../../hooks/use-unsaved-warning.ts';
import type { Source } from './import/failed-rows-file.ts';
import { ImportProgress } from './import/import-progress.tsx';
import { useImport } from './import/use-import.ts';
import { type ImportChoices, Preview } from './preview/preview.tsx';

interface AddManyProps {
  drafts: readonly MemberDraft[];
  /** Whether other drafts are on their way. */
  isReading?: boolean;
  /** The source of the drafts, for the file of failed rows. */
  source: Source;
  /** Whether there is input that would be lost by leaving the page. */
  unsaved: boolean;
  /** Clears the input, once all members are added. */
  clear: () => void;
  /** The input of the drafts. */
  children: ReactNode;
}

/** Adds many members: the input and a preview of each row, then the import. */
export function AddMany({ drafts, isReading = false, source, unsaved, clear, children }: AddManyProps) {
  const adding = useImport();
  const [choices, choose] = useState<ImportChoices>({ groupIds: [], updates: false });
  const { groupIds, updates } = choices;
  const isShown = adding.state !== null;
  useDidUpdate(() => focusIfLost(), [isShown]);
  useUnsavedWarning(unsaved && !adding.state?.isOver);

  if (adding.state) {
    return (
      <ImportProgress
        state={adding.state}
        source={source}
        stop={adding.stop}
        resume={adding.resume}
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
      {drafts.length > 0 && (
        <Preview
          drafts={drafts}
          isReading={isReading}
          choices={choices}
          choose={choose}
          start={(ids) => void adding.start(drafts, { groups: { ids, forAll: groupIds }, updates })}
        />
      )}
    </>
  );
}
