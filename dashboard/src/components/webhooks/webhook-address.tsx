import { Text } from '@mantine/core';
import classes from './webhooks.module.css';

/** A URL on one line, with its host in full as long as there is room. All of it is shown on hover. */
export function WebhookAddress({ url }: { url: string }) {
  const { protocol, host, pathname, search } = new URL(url);
  return (
    <Text component="span" size="sm" c="dimmed" className={classes.address!} title={url}>
      <span className={classes.host}>{protocol === 'https:' ? host : `${protocol}//${host}`}</span>
      <span className={classes.path}>{`${pathname}${search}`}</span>
    </Text>
  );
}
