import { Kbd, Switch, Text } from '@mantine/core';
import { useTexts } from '../../languages/texts.tsx';
import classes from './join-requests.module.css';
import type { useRowKeys } from './use-row-keys.ts';

interface KeyHintsProps {
  keys: Pick<ReturnType<typeof useRowKeys>, 'isOn' | 'setIsOn'>;
  mayApprove: boolean;
}

/** The keys with which requests are decided. They can be turned off. */
export function KeyHints({ keys: { isOn, setIsOn }, mayApprove }: KeyHintsProps) {
  const t = useTexts('joinRequests');
  const hints = [
    ['J', 'K', t('key.move')],
    ['X', t('key.select')],
    ...(mayApprove ? [['A', t('approve')]] : []),
    ['D', t('decline')],
  ];
  return (
    <div className={classes.keys}>
      <Switch
        size="xs"
        label={t('keys')}
        checked={isOn}
        onChange={(event) => setIsOn(event.currentTarget.checked)}
      />
      {isOn &&
        hints.map((hint) => (
          <Text key={hint[0]} size="xs" c="dimmed">
            {hint.slice(0, -1).map((key) => (
              <Kbd key={key} size="xs" mr={4}>
                {key}
              </Kbd>
            ))}
            {hint.at(-1)}
          </Text>
        ))}
    </div>
  );
}
