import { createLink, type LinkComponent } from '@tanstack/react-router';
import { type AnchorHTMLAttributes, forwardRef } from 'react';

type AnchorProps = AnchorHTMLAttributes<HTMLAnchorElement> & {
  variant?: 'primary' | 'secondary' | 'tertiary';
  'data-color'?: 'primary' | 'accent' | 'neutral';
  'data-size'?: 'sm' | 'md' | 'lg';
};

const Anchor = forwardRef<HTMLAnchorElement, AnchorProps>(function Anchor(
  { variant = 'primary', className, children, ...rest },
  ref,
) {
  return (
    <a
      {...rest}
      ref={ref}
      className={className ? `ds-button ${className}` : 'ds-button'}
      data-variant={variant}
    >
      {children}
    </a>
  );
});

const RouterAnchor = createLink(Anchor);

/** A link that looks like a button. Classes only, so that the landing page needs no component code. */
export const ButtonLink: LinkComponent<typeof Anchor> = (props) => <RouterAnchor {...props} />;
