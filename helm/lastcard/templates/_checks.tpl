{{/* What cannot work is refused with one sentence. */}}
{{- define "lastcard.checks" -}}
{{- if not .Values.image.repository }}
{{- fail "Set image.repository to the image built from server/Dockerfile, e.g. registry.example/lastcard." }}
{{- end }}
{{- if and .Values.tls.existingSecret .Values.insecure }}
{{- fail "Set either tls.existingSecret or insecure: true, not both." }}
{{- end }}
{{- if not (or .Values.tls.existingSecret .Values.insecure) }}
{{- fail "Set tls.existingSecret to a secret of type kubernetes.io/tls, or insecure: true to serve without TLS." }}
{{- end }}
{{- if not .Values.organiserKey.existingSecret }}
{{- fail "Set organiserKey.existingSecret to a secret with a key made by `lastcard keys generate`; without one nobody could create keys or contests." }}
{{- end }}
{{- $postgres := .Values.store.postgres.existingSecret }}
{{- if and $postgres (not .Values.serverKeys.existingSecret) }}
{{- fail "Set serverKeys.existingSecret to a secret with the server's own keys: with store.postgres all pods need the same." }}
{{- end }}
{{- if and $postgres .Values.persistence.existingClaim }}
{{- fail "Set either store.postgres.existingSecret or persistence.existingClaim, not both: pods on PostgreSQL keep nothing." }}
{{- end }}
{{- if and .Values.store.postgres.ca.existingSecret (not $postgres) }}
{{- fail "Set store.postgres.existingSecret, or store.postgres.ca.existingSecret to nothing: SQLite connects to no database." }}
{{- end }}
{{- with .Values.autoscaling }}
{{- if and .enabled (not $postgres) }}
{{- fail "Set store.postgres.existingSecret, or autoscaling.enabled to false: SQLite belongs to one server." }}
{{- end }}
{{- if and .enabled (gt (int .minReplicas) (int .maxReplicas)) }}
{{- fail "Set autoscaling.minReplicas to autoscaling.maxReplicas at most." }}
{{- end }}
{{- end }}
{{- if and .Values.autoscaling.enabled (not (dig "requests" "cpu" "" .Values.resources)) }}
{{- fail "Set resources.requests.cpu: autoscaling measures the use of it." }}
{{- end }}
{{- $ports := list 50051 (int .Values.health.port) }}
{{- if .Values.metrics.enabled }}{{ $ports = append $ports (int .Values.metrics.port) }}{{ end }}
{{- if ne (len $ports) (len (uniq $ports)) }}
{{- fail "Give health.port and metrics.port ports of their own, other than 50051." }}
{{- end }}
{{- end }}
