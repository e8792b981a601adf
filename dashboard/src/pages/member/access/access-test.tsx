import { maxRequestPathLength } from '@gatehouse/contract/rule-paths';
import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { DecisionNote } from '../../../components/access/decision-note.tsx';
import { useTypedUrl } from '../../../components/access/use-typed-url.ts';
import { ErrorNote } from '../../../components/feedback/error-note.tsx';
import { useTexts } from '../../../languages/texts.tsx';
import { useDecision } from '../../../queries/access/decision.ts';

/** A field for a URL or path, and whether the member can open it. */
export function AccessTest({ memberId }: { memberId: string }) {
  const t = useTexts('member');
  const [typed, setTyped] = useState('');
  const { target, fault } = useTypedUrl(typed);
  const { data, error, refetch } = useDecision(target && { memberId, ...target });
  return (
    <div>
      <TextInput
        label={t('testUrl')}
        placeholder={t('testUrlExample')}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
        error={fault}
        maxLength={maxRequestPathLength}
        inputMode="url"
        autoCapitalize="off"
        autoComplete="off"
        spellCheck={false}
      />
      <div aria-live="polite">
        {error && <ErrorNote error={error} retry={refetch} />}
        {data && !error && <DecisionNote decision={data} memberId={memberId} />}
      </div>
    </div>
  );
}
