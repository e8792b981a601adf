import { maxNameLength } from '@gatehouse/contract/limits';
import { TextInput } from '@mantine/core';
import { isNotEmpty, useForm } from '@mantine/form';
import { DialogForm } from '../../../components/forms/dialog-form.tsx';
import { Dialog } from '../../../components/layout/dialog.tsx';
import { useSubmission } from '../../../hooks/use-submission.ts';
import { useTexts } from '../../../languages/texts.tsx';
import type { SavedView } from '../../../session/dashboard-api.ts';
import { useViewChanges } from './saved-views.ts';

interface ViewFormProps {
  /** The view to rename; undefined for a new one. */
  view: SavedView | undefined;
  /** The search that a new one saves. */
  search: string;
  onSaved: (view: SavedView) => void;
  close: () => void;
}

/** The dialog for the name of a saved view. */
export function ViewDialog({ opened, ...form }: ViewFormProps & { opened: boolean }) {
  const t = useTexts('members');
  return (
    <Dialog opened={opened} onClose={form.close} title={t(form.view ? 'views.rename' : 'views.save')}>
      <ViewForm {...form} />
    </Dialog>
  );
}

function ViewForm({ view, search, onSaved, close }: ViewFormProps) {
  const t = useTexts('members');
  const common = useTexts('common');
  const { save, rename } = useViewChanges();
  const form = useForm({
    initialValues: { name: view?.name ?? '' },
    validate: { name: isNotEmpty(t('views.nameMissing')) },
  });
  const saving = useSubmission(form, {
    send: ({ name }) => (view ? rename(view, name.trim()) : save(name.trim(), search)),
    onSuccess: (saved) => {
      onSaved(saved);
      close();
    },
    done: ({ name }) => t('views.saved', { name }),
  });
  return (
    <DialogForm form={saving} cancel={close} submit={common('save')}>
      <TextInput
        {...form.getInputProps('name')}
        label={t('views.name')}
        description={t('views.nameHelp')}
        maxLength={maxNameLength}
        autoComplete="off"
        data-autofocus
      />
    </DialogForm>
  );
}
