import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ErrorNote } from '../../../components/feedback/error-note.tsx';
import { ActionButton } from '../../../components/layout/action-button.tsx';
import { Hint } from '../../../components/layout/hint.tsx';
import { List, ListRow } from '../../../components/layout/list.tsx';
import { Section } from '../../../components/layout/section.tsx';
import { useMemberChange } from '../../../components/members/use-member-change.ts';
import { passFocusOn } from '../../../hooks/focus.ts';
import { useMay } from '../../../session/site.ts';

/** How one credential is removed, or all of them. */
interface Removal {
  /** The text of the button, also in the question. */
  label: string;
  /** The name of the button for screen readers, if its text does not say what is removed. */
  name?: string;
  question: string;
  /** What it means for the member. */
  text: string;
  done: string;
  send: () => Promise<unknown>;
}

interface CredentialsSectionProps<Credential> {
  memberId: string;
  title: string;
  query: UseQueryResult<Credential[]>;
  removeAll: (count: number) => Removal;
  row: (credential: Credential) => {
    content: ReactNode;
    added: ReactNode;
    used: ReactNode;
    remove: Removal;
  };
}

/** What the member can log in with, apart from emails. Nothing is shown if there is none, as on most sites. */
export function CredentialsSection<Credential extends { id: string }>({
  memberId,
  title,
  query: { data, error, refetch },
  removeAll,
  row,
}: CredentialsSectionProps<Credential>) {
  if (error) return <ErrorNote error={error} retry={refetch} />;
  if (!data || data.length === 0) return null;
  return (
    <Section title={title} action={<RemoveButton memberId={memberId} removal={removeAll(data.length)} />}>
      <List label={title}>
        {data.map((credential) => {
          const { content, added, used, remove } = row(credential);
          return (
            <ListRow
              key={credential.id}
              ref={passFocusOn}
              trailing={
                <Hint size="xs">
                  {added}
                  {' · '}
                  {used}
                </Hint>
              }
              actions={<RemoveButton memberId={memberId} removal={remove} />}
            >
              {content}
            </ListRow>
          );
        })}
      </List>
    </Section>
  );
}

function RemoveButton({ memberId, removal }: { memberId: string; removal: Removal }) {
  const mayRemove = useMay('members:block');
  const change = useMemberChange(memberId);
  const { label, name, question, text, done, send } = removal;
  if (!mayRemove) return null;
  return (
    <ActionButton
      label={label}
      size="xs"
      aria-label={name}
      onClick={() => change({ question: { title: question, children: text, confirm: label }, done, send })}
    />
  );
}
