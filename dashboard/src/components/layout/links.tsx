import { Anchor, type AnchorProps, Button, type ButtonProps } from '@mantine/core';
import { createLink } from '@tanstack/react-router';
import type { ComponentPropsWithRef } from 'react';

type PropsOf<Own, Element extends 'a' | 'button'> = Own & Omit<ComponentPropsWithRef<Element>, keyof Own>;

/** A text that is a link to another page of the dashboard. With `from="/$site"`, it stays on the same site. */
export const LinkText = createLink((props: PropsOf<AnchorProps, 'a'>) => <Anchor {...props} />);

/** A button that is a link to another page of the dashboard. With `from="/$site"`, it stays on the same site. */
export const LinkButton = createLink((props: PropsOf<ButtonProps, 'button'>) => (
  <Button {...props} renderRoot={(root) => <a {...root} />} />
));
