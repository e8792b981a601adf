import type { PageCode } from '@gatehouse/client';
import { Modal } from '@mantine/core';
import { Dialog } from '../../../components/layout/dialog.tsx';
import { useTexts } from '../../../languages/texts.tsx';
import { CreateForm } from './create-form.tsx';
import { CreatedCode } from './created-code.tsx';
import { EditForm } from './edit-form.tsx';
import { LargeCode } from './large-code.tsx';
import { ReplaceForm } from './replace-form.tsx';

/** The content of the dialog. `text` is the code itself, which is known only for a moment if an operator has chosen it. */
export type CodeStep =
  | { readonly name: 'create' }
  | { readonly name: 'edit' | 'replace'; readonly code: PageCode }
  | { readonly name: 'created' | 'large'; readonly code: PageCode; readonly text: string };

interface CodeDialogProps {
  /** Null while it is closed. */
  step: CodeStep | null;
  show: (step: CodeStep) => void;
  close: () => void;
  /** Called with a new page code. */
  created?: (code: PageCode) => void;
  /** Its name among dialogs that are open at the same time. */
  stackId?: string;
}

/** Creates, changes, replaces and shows a page code. */
export function CodeDialog({ step, show, close, created, stackId }: CodeDialogProps) {
  const title = useTitle(step);
  const end = (code: PageCode, text: string) => show({ name: 'created', code, text });
  return (
    <Dialog
      opened={step !== null}
      onClose={close}
      title={title}
      size="lg"
      fullScreen={step?.name === 'large'}
      // A code that was chosen is not shown again.
      closeOnClickOutside={step?.name !== 'created'}
      {...(stackId !== undefined && { stackId })}
      // It may be opened from another form, to which React passes this event.
      onSubmit={(event) => event.stopPropagation()}
    >
      {step?.name === 'create' && (
        <CreateForm
          close={close}
          done={(code, text) => {
            created?.(code);
            end(code, text);
          }}
        />
      )}
      {step?.name === 'edit' && <EditForm code={step.code} close={close} />}
      {step?.name === 'replace' && <ReplaceForm code={step.code} close={close} done={end} />}
      {step?.name === 'created' && (
        <CreatedCode {...step} enlarge={() => show({ ...step, name: 'large' })} close={close} />
      )}
      {step?.name === 'large' && <LargeCode {...step} />}
    </Dialog>
  );
}

/** Lets one dialog open the dialog of page codes above it. */
export const DialogStack = Modal.Stack;

function useTitle(step: CodeStep | null): string {
  const t = useTexts('codes');
  if (!step || step.name === 'create') return t('create');
  const { label } = step.code;
  if (step.name === 'edit' || step.name === 'replace') return t(`${step.name}Title`, { label });
  return label;
}
