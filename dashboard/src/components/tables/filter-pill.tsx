import { Pill } from '@mantine/core';
import { passFocusOn } from '../../hooks/focus.ts';
import { useTexts } from '../../languages/texts.tsx';

interface FilterPillProps {
  text: string;
  remove: () => void;
}

/** A filter of a list that was chosen, with a button that removes it. */
export function FilterPill({ text, remove }: FilterPillProps) {
  const t = useTexts('common');
  return (
    <Pill
      ref={passFocusOn}
      withRemoveButton
      onRemove={remove}
      removeButtonProps={{
        'aria-label': t('removeFilter', { filter: text }),
        'aria-hidden': false,
        tabIndex: 0,
      }}
    >
      {text}
    </Pill>
  );
}
