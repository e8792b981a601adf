import { maxRequestPathLength } from '@gatehouse/contract/rule-paths';
import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { DecisionLine } from '../../../components/access/decision-line.tsx';
import { ErrorNote } from '../../../components/feedback/error-note.tsx';
import { useTexts } from '../../../languages/texts.tsx';
import { useUrlDecision } from './url-decision.ts';

/** A field for a URL or path, and whether the member can open it. */
export function AccessTest({ memberId }: { memberId: string }) {
  const t = useTexts('member');
  const [typed, setTyped] = useState('');
  const { decision, problem, error, refetch } = useUrlDecision(memberId, typed);
  return (
    <div>
      <TextInput
        label={t('testUrl')}
        placeholder={t('testUrlExample')}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
        error={problem}
        maxLength={maxRequestPathLength}
        inputMode="url"
        autoCapitalize="off"
        autoComplete="off"
        spellCheck={false}
      />
      <div aria-live="polite">
        {error && <ErrorNote error={error} retry={refetch} />}
        {decision && <DecisionLine decision={decision} />}
      </div>
    </div>
  );
}
