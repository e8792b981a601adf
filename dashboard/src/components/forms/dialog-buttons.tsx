import { Button } from '@mantine/core';
import { useTexts } from '../../languages/texts.tsx';
import { ActionButton } from '../layout/action-button.tsx';
import { DialogFooter } from '../layout/dialog.tsx';

interface DialogButtonsProps {
  cancel: () => void;
  /** The label of the submit button. */
  submit: string;
  pending?: boolean;
  disabled?: boolean;
  /** Whether the submit button gets the focus when the dialog opens. */
  focusSubmit?: boolean;
}

/** The buttons at the end of a form in a dialog. They stay while its fields scroll. */
export function DialogButtons({
  cancel,
  submit,
  pending = false,
  disabled = false,
  focusSubmit = false,
}: DialogButtonsProps) {
  const t = useTexts('common');
  return (
    <DialogFooter>
      <ActionButton label={t('cancel')} onClick={cancel} />
      <Button type="submit" loading={pending} disabled={disabled} data-autofocus={focusSubmit || undefined}>
        {submit}
      </Button>
    </DialogFooter>
  );
}
