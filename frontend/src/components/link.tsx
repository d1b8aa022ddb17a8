import type { Link as RouterLink, LinkComponent } from '@tanstack/react-router';
import {
  type AnchorHTMLAttributes,
  type ComponentProps,
  type ComponentType,
  createContext,
  use,
} from 'react';

type AnchorProps = AnchorHTMLAttributes<HTMLAnchorElement>;

/** The part of a link's properties that a page without the router understands. */
type PlainProps = AnchorProps & {
  to: string;
  search?: Record<string, string>;
  hash?: string;
  preload?: false;
};

/**
 * The router's own link, for all pages below. The landing page loads no router: there, the browser follows
 * the links.
 */
export const RouterLinks = createContext<typeof RouterLink | undefined>(undefined);

/** A link to a page of ours. */
export const Link: LinkComponent<'a'> = (props) => {
  const Routed = use(RouterLinks) as ComponentType<object> | undefined;
  return Routed ? <Routed {...props} /> : <PlainLink {...(props as unknown as PlainProps)} />;
};

function PlainLink({ to, search, hash, preload: _preload, children, ...rest }: PlainProps) {
  const query = search ? `?${new URLSearchParams(search)}` : '';
  // A place on this page: with its path, an address with another query would load the page again.
  const href = hash ? `#${hash}` : `${to}${query}`;
  return (
    <a {...rest} href={href}>
      {children}
    </a>
  );
}

type ButtonProps = AnchorProps & {
  variant?: 'primary' | 'secondary' | 'tertiary';
  'data-color'?: 'primary' | 'accent' | 'neutral';
  'data-size'?: 'sm' | 'md' | 'lg';
};

/** A link that looks like a button. Classes only, so that the landing page needs no component code. */
export const ButtonLink: LinkComponent<ComponentType<ButtonProps>> = (props) => {
  const { variant = 'primary', className, ...rest } = props as unknown as ButtonProps;
  const link = rest as ComponentProps<typeof Link>;
  const classes = className ? `ds-button ${className}` : 'ds-button';
  return <Link {...link} className={classes} data-variant={variant} />;
};
