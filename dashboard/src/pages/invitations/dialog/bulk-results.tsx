import type { BulkInvitationResultItem } from '@gatehouse/client';
import { Stack, Text } from '@mantine/core';
import { ActionButton } from '../../../components/layout/action-button.tsx';
import { DialogFooter } from '../../../components/layout/dialog.tsx';
import { StateText } from '../../../components/state/state-text.tsx';
import { CellNote } from '../../../components/tables/cell-note.tsx';
import { ScrollingTable } from '../../../components/tables/scrolling-table.tsx';
import { displayAddress } from '../../../format/addresses/email-address.ts';
import { useErrorText } from '../../../format/error-text.ts';
import { useTexts } from '../../../languages/texts.tsx';
import { useEmailWaits } from '../../../queries/overview.ts';

interface BulkResultsProps {
  results: readonly BulkInvitationResultItem[];
  close: () => void;
}

/** Which of the addresses were invited, and why the others were not. Those come first. */
export function BulkResults({ results, close }: BulkResultsProps) {
  const t = useTexts('invitations');
  const waits = useEmailWaits();
  const failed = results.filter(({ status }) => status !== 'created');
  const created = results.filter(({ status }) => status === 'created');
  return (
    <Stack>
      <Text role="status">
        {t(waits ? 'invitedWaits' : 'invited', { count: created.length })}
        {failed.length > 0 && ` ${t('notInvited', { count: failed.length })}`}
      </Text>
      <ScrollingTable label={t('results')}>
        <thead>
          <tr>
            <th>{t('address')}</th>
            <th>{t('result')}</th>
          </tr>
        </thead>
        <tbody>
          {[...failed, ...created].map((item, index) => (
            <ResultRow key={index} item={item} />
          ))}
        </tbody>
      </ScrollingTable>
      <DialogFooter>
        <ActionButton variant="filled" label={t('done')} onClick={close} data-autofocus />
      </DialogFooter>
    </Stack>
  );
}

function ResultRow({ item }: { item: BulkInvitationResultItem }) {
  const t = useTexts('invitations');
  const errorText = useErrorText();
  return (
    <tr>
      <td>{displayAddress(item.email)}</td>
      <td>
        {item.status === 'created' ? (
          <StateText state="good">{t('result.created')}</StateText>
        ) : (
          <CellNote isProblem>{errorText(item.error)}</CellNote>
        )}
      </td>
    </tr>
  );
}
