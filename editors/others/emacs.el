;;; What a person does in Emacs, without a screen. ABL_SETTINGS are those of
;;; docs/editors.md, ABL_AGENT is the demo's agent.  -*- lexical-binding: t -*-

(require 'eglot)

(defun await (what condition)
  "Wait until CONDITION gives something; give that, or fail with WHAT."
  (let ((end (+ (float-time) 30)) found)
    (while (and (not (setq found (funcall condition))) (< (float-time) end))
      (accept-process-output nil 0.05))
    (or found (error "Waited in vain for %s" what))))

(load (getenv "ABL_SETTINGS") nil t)
(find-file (getenv "ABL_AGENT"))
(unless (eq major-mode 'abl-mode)
  (error "The mode is %s" major-mode))
(goto-char (point-min))
(search-forward "#")
(unless (nth 4 (syntax-ppss))
  (error "A comment is none"))
(run-hooks 'post-command-hook) ; as after a key: eglot-ensure waits for it
(await "the server" #'eglot-current-server)

(flymake-start)
(await "the mistake"
       (lambda ()
         (seq-some (lambda (d) (string-match-p "did you mean `GET`" (flymake-diagnostic-text d)))
                   (flymake-diagnostics))))
(message "ok    see the mistake")

;; To indent is to format: the indentation has a meaning.
(let ((before (buffer-string)))
  (goto-char (point-min))
  (search-forward "latency: fast")
  (replace-match "Latency:fast")
  (indent-region (point-min) (point-max))
  (unless (equal before (buffer-string))
    (error "Indented: %s" (buffer-string))))
(message "ok    indent")

(goto-char (point-min))
(search-forward "get_weather")
(backward-char 3)
(xref-find-definitions (xref-backend-identifier-at-point 'eglot))
(unless (string-suffix-p "/tools/weather.tools.abl" buffer-file-name)
  (error "The definition is in %s" buffer-file-name))
(unless (looking-at-p "get_weather(")
  (error "The definition is at %s" (buffer-substring (point) (line-end-position))))
(message "ok    jump")

(find-file (expand-file-name "../agents/desk.agent.yaml"))
(unless (eq major-mode 'abl-yaml-mode)
  (error "The mode is %s" major-mode))
(run-hooks 'post-command-hook)
(await "the server for YAML" #'eglot-current-server)
(flymake-start)
(await "its diagnostic" #'flymake-diagnostics)
(message "ok    YAML")
