import { Anchor, type AnchorProps, Button, type ButtonProps } from '@mantine/core';
import { createLink } from '@tanstack/react-router';
import type { ComponentPropsWithRef, ReactNode } from 'react';
import { IconArrowLeft } from '../icons/icons.ts';
import classes from './links.module.css';

type PropsOf<Own, Element extends 'a' | 'button'> = Own & Omit<ComponentPropsWithRef<Element>, keyof Own>;

/** A text that is a link to another page of the dashboard. With `from="/$site"`, it stays on the same site. */
export const LinkText = createLink((props: PropsOf<AnchorProps, 'a'>) => <Anchor {...props} />);

/** A button that is a link to another page of the dashboard. With `from="/$site"`, it stays on the same site. */
export const LinkButton = createLink((props: PropsOf<ButtonProps, 'button'>) => (
  <Button {...props} renderRoot={(root) => <a {...root} />} />
));

/** A link back to where the operator came from. With `from="/$site"`, it stays on the same site. */
export const ReturnLink = createLink(({ children, ...props }: PropsOf<AnchorProps, 'a'>) => (
  <Anchor size="sm" className={classes.back!} {...props}>
    <IconArrowLeft size={14} aria-hidden className="mirrored" /> {children}
  </Anchor>
));

interface BackLinkProps {
  to:
    | '/$site/members'
    | '/$site/invitations'
    | '/$site/groups'
    | '/$site/rules'
    | '/$site/sources'
    | '/$site/webhooks'
    | '/$site/settings/login';
  children: ReactNode;
}

/** The link of a page back to its list. */
export function BackLink({ to, children }: BackLinkProps) {
  return (
    <ReturnLink from="/$site" to={to}>
      {children}
    </ReturnLink>
  );
}
